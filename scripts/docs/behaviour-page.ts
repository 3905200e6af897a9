/** `docs/behaviours.md`: the rows of `test/behaviours/table.ts` with the tests whose titles cite them. */
import { type CitedTest, citedTests } from '../../test/behaviours/cited-tests.ts'
import { type Behaviour, type BehaviourState, behaviourGroups } from '../../test/behaviours/table.ts'

const states = ['held', 'differs', 'theater', 'importers', 'does not apply'] as const
type StateName = (typeof states)[number]

const meanings: Readonly<Record<StateName, string>> = {
  held: 'the same here',
  differs: 'here in another way, on purpose, which the tests hold',
  theater: 'planned, with the page that plays a cassette',
  importers: 'planned, with the importers of the other systems’ logs',
  'does not apply': 'nothing here could have it',
}

export function behaviourPage(): string {
  const cited = citedTests()
  const all = behaviourGroups.flatMap(({ behaviours }) => behaviours)
  const counts = states.map((name) => `| ${name} | ${all.filter(({ state }) => nameOf(state) === name).length} |`)
  const sections = behaviourGroups.map(({ title, source, behaviours }) => {
    const rows = behaviours.map((behaviour) => row(behaviour, cited.get(behaviour.id) ?? []))
    return `## ${title}\n\n${source}.\n\n| id | what it does | here | tests |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`
  })
  return `# Behaviours of the systems we learnt from

Generated from \`test/behaviours/table.ts\` and the titles of the tests, which cite each behaviour by its id: do not edit. What others
recorded and replayed before turntape did, behaviour by behaviour, and what has become of each here.

${states.map((name) => `- **${name}**: ${meanings[name]}`).join('\n')}

| state | behaviours |
| --- | --- |
${counts.join('\n')}

${sections.join('\n')}`
}

function row({ id, does, state }: Behaviour, tests: readonly CitedTest[]): string {
  const here = [`**${nameOf(state)}**`, ...noteOf(state)].join(': ')
  return `| ${[id, does, here, links(tests)].map(cell).join(' | ')} |`
}

function nameOf(state: BehaviourState): StateName {
  if ('held' in state) return 'held'
  if ('differs' in state) return 'differs'
  return 'planned' in state ? state.planned : 'does not apply'
}

function noteOf(state: BehaviourState): readonly string[] {
  if ('differs' in state) return [state.differs]
  if ('none' in state) return [state.none]
  return state.note === undefined ? [] : [state.note]
}

/** A test’s title under its file, which it may share with others. */
function links(tests: readonly CitedTest[]): string {
  const files = [...new Set(tests.map(({ file }) => file))]
  return files
    .map((file) => {
      const titles = tests.filter((one) => one.file === file).map(({ title }) => title)
      return `[${file.replace(/^test\/|\.test\.ts$/g, '')}](../${file}): ${titles.join('; ')}`
    })
    .join('<br>')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
