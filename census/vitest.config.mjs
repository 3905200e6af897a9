import { replayPlugin } from 'turntape/vitest'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: process.env.CENSUS_RUN === 'alone' ? [] : [replayPlugin()],
  test: {
    include: ['**/*.test.mjs'],
    setupFiles: ['harness/names.mjs'],
    env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    testTimeout: 15_000,
  },
})
