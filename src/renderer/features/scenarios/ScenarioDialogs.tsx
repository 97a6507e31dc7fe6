import type { ReactNode } from 'react'
import { assertNever } from '../../../shared/assert-never.ts'
import type { ScenarioDialog } from '../../store/slices/scenarios-slice.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { downloadText } from '../../ui/download.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { FileField } from './FileField.tsx'
import { OpenScenarioDialog } from './OpenScenarioDialog.tsx'
import { SaveScenarioDialog } from './SaveScenarioDialog.tsx'
import { takeFile } from './scenario-files.ts'

const words = text.scenarios

function ExportDialog(): ReactNode {
  const exportState = useAppState((state) => state.exportState)
  const confirm = async (): Promise<void> => {
    const file = await exportState()
    if (file?.kind === 'text') downloadText([file.text], file.name)
  }
  return (
    <ConfirmDialog words={words.export} onConfirm={() => void confirm()}>
      <p>{words.export.secrets}</p>
    </ConfirmDialog>
  )
}

function ImportDialog({
  file,
}: Pick<Extract<ScenarioDialog, { kind: 'importState' }>, 'file'>): ReactNode {
  const { state } = useStore()
  const importState = useAppState((it) => it.importState)
  return (
    <ConfirmDialog
      words={words.import}
      isDangerous
      isIncomplete={file === null}
      onConfirm={() => {
        if (file !== null) void importState(file)
      }}
    >
      <FileField
        label={words.import.choose}
        onChoose={(chosen) => void takeFile(chosen, state.getState(), 'State')}
      />
      <output>{file === null ? '' : words.import.chosen(file.name)}</output>
      <p>{words.import.aside}</p>
    </ConfirmDialog>
  )
}

function ResetDialog(): ReactNode {
  const reset = useAppState((state) => state.resetState)
  return (
    <ConfirmDialog words={words.reset} isDangerous onConfirm={() => void reset()}>
      <p>{words.reset.aside}</p>
    </ConfirmDialog>
  )
}

/** The dialog about scenarios or the state of the sandbox that is open, if one is. */
export function ScenarioDialogs(): ReactNode {
  const dialog = useAppState((state) => state.scenarioDialog)
  const cluster = useAppState(shownCluster)
  if (dialog === null) return null
  switch (dialog.kind) {
    case 'openScenario':
      return <OpenScenarioDialog />
    case 'saveScenario':
      return cluster?.kind === 'sandbox' ? <SaveScenarioDialog cluster={cluster} /> : null
    case 'exportState':
      return <ExportDialog />
    case 'importState':
      return <ImportDialog file={dialog.file} />
    case 'resetState':
      return <ResetDialog />
    default:
      return assertNever(dialog, 'scenario dialog')
  }
}
