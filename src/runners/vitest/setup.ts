/** The set-up file that `replayPlugin()` adds. Without the plugin the entry runs it for the file that imports it. */
import { setUpFile } from './set-up-file.ts'

await setUpFile((path) => import(/* @vite-ignore */ path))
