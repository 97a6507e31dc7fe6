import type { ActError, SavedFile } from '../../../shared/ipc/contract.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText } from '../../files/file-error.ts'
import type { PresentSandbox } from '../cluster/open-cluster.ts'
import { savedFile } from '../saved-file.ts'
import type { SaveFile } from '../session-ports.ts'
import type { ScenarioAbout } from './saved-scenario.ts'

/** Saves the present state of a sandbox as a scenario. Resolves with its text too. */
export async function saveScenario(
  present: () => Promise<PresentSandbox>,
  about: ScenarioAbout,
  saveFile: SaveFile | undefined,
): Promise<Result<{ readonly file: SavedFile; readonly text: string }, ActError>> {
  try {
    const { savedScenario } = await import('./saved-scenario.ts')
    const text = savedScenario(await present(), about)
    if (!text.ok) return err({ kind: 'refused', message: text.error })
    const file = await savedFile(`${about.name}.yaml`, text.value, saveFile)
    return file.ok ? ok({ file: file.value, text: text.value }) : file
  } catch (error) {
    return err({
      kind: 'failed',
      message: `The scenario cannot be saved, ${fileErrorText(error)}.`,
    })
  }
}
