import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/projects/package.ts'],
    testTimeout: 60_000,
  },
})
