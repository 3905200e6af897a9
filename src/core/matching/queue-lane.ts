/** One lane of a replay queue: its calls in recorded order, which of them may be asked for now, and what has been. */

export interface QueueEntry {
  /** The interaction's number, in the order of start. */
  readonly number: number
  /** Absent: the unnamed lane. */
  readonly lane?: string
  /** Numbers of earlier interactions that had not ended when this one started (F4). */
  readonly overlaps?: readonly number[]
  /** May be skipped, and taken at any time by content. */
  readonly optional?: true
  /** Hash of the stored request (F13). */
  readonly hash: string
  /** Absent: served to a call that equals it. `unchecked`: in its place, to any call that fits. `never`: not at all. */
  readonly serving?: 'unchecked' | 'never'
}

/** What a call is known by. `sameAs` compares with the entry of that number, slowly: asked only where no hash is equal. */
export interface Wanted {
  readonly hash: string
  readonly sameAs: (number: number) => boolean
  /** Numbers, ascending, of the entries that carry the very id of this call; they come first (AR-25). */
  readonly byId?: readonly number[]
  /** Whether the entry of that number could answer this call if nothing were compared. Absent: none could. */
  readonly fits?: (number: number) => boolean
}

/** How an entry was found. `position`: nothing was compared, or nothing was equal. */
export type FoundBy = 'call id' | 'hash' | 'normalised' | 'position'

export interface Found {
  readonly entry: QueueEntry
  readonly by: FoundBy
}

type EntryState = 'pending' | 'served' | 'dropped'

/** Positions of the entries of one hash; none before `cursor` is pending. */
interface EqualEntries {
  readonly positions: number[]
  cursor: number
}

/**
 * Strict before `#looseFrom`: the first pending entry that is not optional is the one expected.
 * From there on any pending entry may be asked for. Finding an entry by hash is constant time on average.
 */
export class QueueLane {
  readonly #entries: readonly QueueEntry[]
  readonly #states: EntryState[]
  readonly #positions: ReadonlyMap<number, number>
  readonly #looseFrom: number
  readonly #hasUnchecked: boolean
  readonly #required = new Map<string, EqualEntries>()
  readonly #optional = new Map<string, EqualEntries>()
  /** No entry before this position is both pending and required. */
  #expectedCursor = 0

  /** `entries`: those of one lane, by number. */
  constructor(entries: readonly QueueEntry[], order: 'recorded' | 'any') {
    this.#entries = entries
    this.#states = entries.map(() => 'pending')
    this.#positions = new Map(entries.map(({ number }, position) => [number, position]))
    this.#hasUnchecked = entries.some(({ serving }) => serving === 'unchecked')
    this.#looseFrom = order === 'any' ? 0 : firstOverlap(entries)
    entries.forEach(({ hash, optional, serving }, position) => {
      if (serving !== undefined) return
      const byHash = optional === true ? this.#optional : this.#required
      const equal = byHash.get(hash)
      if (equal === undefined) byHash.set(hash, { positions: [position], cursor: 0 })
      else equal.positions.push(position)
    })
  }

  /** The first pending entry that is not optional. */
  expected(): QueueEntry | undefined {
    return this.#entries[this.#expectedPosition()]
  }

  /** The same; where only optional ones are pending, the first of them. */
  next(): QueueEntry | undefined {
    return this.expected() ?? this.#entries[this.#states.indexOf('pending')]
  }

  /** True: only the expected entry may be asked for now, optional ones apart. */
  isStrict(): boolean {
    return this.#expectedPosition() < this.#looseFrom
  }

  /**
   * What may be served now: the earliest entry of this very id, else of equal hash, else that `sameAs` admits, else one
   * that is served unchecked.
   */
  servable(wanted: Wanted): Found | undefined {
    const { hash, sameAs, byId = [], fits } = wanted
    const expected = this.#expectedPosition()
    const strict = expected < this.#looseFrom
    for (const number of byId) {
      const at = this.#positions.get(number) ?? -1
      if (this.#isServable(at) && (!strict || at === expected)) return this.#found(at, 'call id')
    }
    const required = this.#firstPending(this.#required, hash)
    const optional = this.#firstPending(this.#optional, hash)
    const position = Math.min(strict && required !== expected ? Infinity : required, optional)
    if (position !== Infinity) return this.#found(position, 'hash')
    const mayCome = (at: number): boolean =>
      this.#states[at] === 'pending' && (!strict || at === expected || this.#entries[at]?.optional === true)
    const same = this.#entries.findIndex((entry, at) => mayCome(at) && isCompared(entry) && sameAs(entry.number))
    if (same !== -1) return this.#found(same, 'normalised')
    if (!this.#hasUnchecked || fits === undefined) return undefined
    const isUnchecked = ({ serving, number }: QueueEntry, at: number): boolean =>
      serving === 'unchecked' && mayCome(at) && fits(number)
    return this.#found(this.#entries.findIndex(isUnchecked), 'position')
  }

  /**
   * AR-03: what answers a call where requests need not be equal. The entry of its id; where content counts more than
   * order (`anyOrder`, and the loose part), the earliest equal one; else the earliest that fits, required ones first.
   */
  inPlace(wanted: Wanted & { readonly anyOrder: boolean }): Found | undefined {
    const { hash, sameAs, byId = [], fits = () => false, anyOrder } = wanted
    const byItsId = byId.map((number) => this.#positions.get(number) ?? -1).find((at) => this.#isServable(at))
    if (byItsId !== undefined) return this.#found(byItsId, 'call id')
    if (anyOrder || !this.isStrict()) {
      const equal = this.pendingEqual(wanted)
      if (equal !== undefined) return { entry: equal, by: equal.hash === hash ? 'hash' : 'normalised' }
    }
    const fitting = this.#entries.filter(({ number }, at) => this.#isServable(at) && fits(number))
    const entry = fitting.find(({ optional }) => optional !== true) ?? fitting[0]
    if (entry === undefined) return undefined
    if (!isCompared(entry)) return { entry, by: 'position' }
    return { entry, by: entry.hash === hash ? 'hash' : sameAs(entry.number) ? 'normalised' : 'position' }
  }

  /** The earliest pending entry that is equal, whether or not it may be served now. */
  pendingEqual(wanted: Wanted): QueueEntry | undefined {
    return findEqual(this.#entriesIn('pending'), wanted)
  }

  /** The last entry that is equal and has been served. */
  servedEqual(wanted: Wanted): QueueEntry | undefined {
    return findEqual(this.#entriesIn('served').reverse(), wanted)
  }

  serve(number: number): void {
    const position = this.#positions.get(number)
    if (position !== undefined) this.#states[position] = 'served'
  }

  /** Drops every pending entry with a number below `before`; gives their numbers. */
  drop(before: number): number[] {
    const dropped = this.#entriesIn('pending').filter(({ number }) => number < before)
    for (const { number } of dropped) this.#states[this.#positions.get(number) as number] = 'dropped'
    return dropped.map(({ number }) => number)
  }

  served(): number[] {
    return this.#entriesIn('served').map(({ number }) => number)
  }

  unused(): number[] {
    return this.#entriesIn('pending').flatMap(({ number, optional }) => (optional === true ? [] : [number]))
  }

  reset(): void {
    this.#states.fill('pending')
    this.#expectedCursor = 0
    for (const equal of [...this.#required.values(), ...this.#optional.values()]) equal.cursor = 0
  }

  #found(at: number, by: FoundBy): Found | undefined {
    const entry = this.#entries[at]
    return entry === undefined ? undefined : { entry, by }
  }

  #isServable(at: number): boolean {
    return this.#states[at] === 'pending' && this.#entries[at]?.serving !== 'never'
  }

  #entriesIn(state: EntryState): QueueEntry[] {
    return this.#entries.filter((_, position) => this.#states[position] === state)
  }

  #expectedPosition(): number {
    let position = this.#expectedCursor
    while (
      position < this.#entries.length &&
      (this.#states[position] !== 'pending' || this.#entries[position]?.optional === true)
    ) {
      position++
    }
    this.#expectedCursor = position
    return position
  }

  /** Infinity: none. */
  #firstPending(byHash: ReadonlyMap<string, EqualEntries>, hash: string): number {
    const equal = byHash.get(hash)
    if (equal === undefined) return Infinity
    while (
      equal.cursor < equal.positions.length &&
      this.#states[equal.positions[equal.cursor] as number] !== 'pending'
    ) {
      equal.cursor++
    }
    return equal.positions[equal.cursor] ?? Infinity
  }
}

function findEqual(entries: readonly QueueEntry[], { hash, sameAs }: Wanted): QueueEntry | undefined {
  const compared = entries.filter(isCompared)
  return compared.find((entry) => entry.hash === hash) ?? compared.find((entry) => sameAs(entry.number))
}

function isCompared({ serving }: QueueEntry): boolean {
  return serving === undefined
}

/**
 * Position of the earliest call that overlapped another one of the lane; the length where none did.
 * Optional calls do not count: nobody waited for them, so they overlap everything after them, and they may be taken at
 * any time anyway.
 */
function firstOverlap(entries: readonly QueueEntry[]): number {
  const required = new Map<number, number>()
  let first = entries.length
  entries.forEach(({ number, optional, overlaps }, position) => {
    if (optional === true) return
    required.set(number, position)
    for (const earlier of overlaps ?? []) first = Math.min(first, required.get(earlier) ?? first)
  })
  return first
}
