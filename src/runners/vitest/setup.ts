/** The set-up file that `replayPlugin()` adds. Without the plugin the entry runs it for the file that imports it. */
import { registerMatchers } from './matchers.ts'
import { setUpFile } from './set-up-file.ts'

registerMatchers()
await setUpFile((path) => import(/* @vite-ignore */ path))
