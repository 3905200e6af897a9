import { version } from '../../package.json'

/** The version of this package. */
export const toolVersion: string = version
