import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { replayPlugin } from './src/runners/vitest/plugin.ts'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  test: {
    globalSetup: ['test/projects/package.ts'],
    testTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'tests', include: ['test/**/*.test.ts'], exclude: ['test/self/**'] } },
      {
        extends: true,
        // Our own tests of an agent: recorded with `node examples/flight-agent/model.mjs 4010` beside, and a key of any kind.
        plugins: [replayPlugin()],
        resolve: {
          alias: { 'turntape/vitest': source('src/runners/vitest/index.ts'), turntape: source('src/index.ts') },
        },
        test: {
          name: 'self',
          include: ['test/self/**/*.test.ts'],
          env: { OPENAI_BASE_URL: 'http://127.0.0.1:4010/v1' },
        },
      },
    ],
  },
})
