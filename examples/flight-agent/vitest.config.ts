import { replayPlugin } from 'turntape/vitest'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [replayPlugin()],
  test: {
    // The bundled model (`node model.mjs`) stands in for the API; without this line the agent talks to OpenAI.
    env: { OPENAI_BASE_URL: process.env.OPENAI_BASE_URL ?? 'http://127.0.0.1:4010/v1' },
  },
})
