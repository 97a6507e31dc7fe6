import { maxScenarioLength } from '../../../shared/ipc/limits.ts'
import type { State } from '../../store/state.ts'
import { text } from '../../text/text.ts'

const words = text.scenarios

/** A state file larger than this has more objects than a page can show. */
const largestState = 64 * 1_048_576

/** What a file of nodescope.dev is, by its beginning; undefined: it is none. */
export async function fileKind(file: File): Promise<'Scenario' | 'State' | undefined> {
  if (!/\.(ya?ml|json)$/i.test(file.name)) return undefined
  const beginning = await file
    .slice(0, 65_536)
    .text()
    .catch(() => '')
  if (!beginning.includes('nodescope.dev/')) return undefined
  const kind = /^[\s{]*["']?kind["']?\s*:\s*["']?(Scenario|State)\b/m.exec(beginning)?.[1]
  return kind === 'Scenario' || kind === 'State' ? kind : undefined
}

/** Opens a file as a scenario; a state file is shown in the dialog that imports it. */
export async function takeFile(
  file: File,
  state: Pick<State, 'addToast' | 'askScenario' | 'openScenario'>,
  kind: 'Scenario' | 'State',
): Promise<void> {
  const [largest, limit] =
    kind === 'State' ? [largestState, '64 MiB'] : [maxScenarioLength, '1 MiB']
  if (file.size > largest) return state.addToast(words.tooLarge(file.name, limit))
  const content = await file.text().catch(() => null)
  if (content === null) return state.addToast(words.unreadable(file.name))
  const named = { name: file.name, text: content }
  if (kind === 'State') return state.askScenario({ kind: 'importState', file: named })
  return state.openScenario({ kind: 'text', ...named })
}
