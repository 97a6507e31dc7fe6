import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileErrorText } from '../files/file-error.ts'
import { replaceFile } from '../files/replace-file.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import { manifestFolderOf } from '../session/cluster/node-names.ts'
import type { Config, Exit, StateOptions } from './config.ts'
import { printNotice } from './terminal.ts'

/** A reset is refused only for what is wrong with the data folder: its option has no file. */
function failure({ kind }: StateOptions, message: string): Result<never, Exit> {
  return err({ exitCode: kind === 'reset' ? 1 : 2, message })
}

/**
 * Carries out --export, --import and --reset before the sandbox starts. Error: why the program exits; with code 0 after an
 * export. The data folder must be locked.
 */
export async function applyStateOptions(
  config: Config,
  log: Log,
): Promise<Result<undefined, Exit>> {
  const { cluster, version, stateOptions: options } = config
  if (options === undefined || cluster.kind !== 'sandbox' || cluster.state === undefined)
    return ok(undefined)
  // Loaded only here: most starts have none of these options.
  const { exportState, importState, resetState } = await import('../state/replace-state.ts')
  const { path } = cluster.state
  const manifestFolder = (node: string, index: number): string =>
    manifestFolderOf(config, node, index)
  const places = { path, version, log, manifestFolder }
  try {
    if (options.kind === 'export') {
      const text = await exportState(places)
      if (!text.ok) return failure(options, text.error)
      await replaceFile(options.path, text.value)
      return err({ exitCode: 0, message: `The sandbox's state is in ${options.path}.` })
    }
    if (options.kind === 'reset') {
      printNotice(await resetState(places))
      return ok(undefined)
    }
    const text = await readFile(options.path, 'utf8')
    const imported = await importState(places, basename(options.path), text)
    if (!imported.ok) return failure(options, imported.error)
    printNotice(imported.value)
    return ok(undefined)
  } catch (error) {
    return failure(
      options,
      `--${options.kind} failed${options.kind === 'reset' ? '' : ` at ${options.path}`}: ${fileErrorText(error)}.`,
    )
  }
}
