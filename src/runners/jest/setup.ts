/** The entry `turntape/jest/setup`, for Jest's `setupFilesAfterEnv`: before the modules of each test file load. */
import { enterThisFile } from './load-core.ts'

enterThisFile()
