#!/usr/bin/env node
/** The command `turntape`. */
import { runCli } from './run-cli.ts'

// `turntape show … | head` closes the pipe early: no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await runCli(process.argv.slice(2))
