import pc from 'picocolors'

export type Tone = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

export type Paint = Readonly<Record<Tone, (text: string) => string>>

/** Colours where standard error is a terminal that has some, else none. */
export function paintForStderr(): Paint {
  const { bold, dim, red, green, yellow } = pc.createColors(process.stderr.isTTY === true && pc.isColorSupported)
  return { bold, dim, red, green, yellow }
}
