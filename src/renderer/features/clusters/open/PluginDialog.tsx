import type { ReactNode } from 'react'
import type { ClustersSlice } from '../../../store/slices/clusters-slice.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { CommandLine } from '../../../ui/CommandLine.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { KeyValueList } from '../../../ui/KeyValueList.tsx'
import { Note } from '../../../ui/Note.tsx'
import styles from '../allow.module.css'

const words = text.clusters.open.plugin

/** Before a kubeconfig runs a program on this computer for the first time. */
export function PluginDialog({
  asked: { choice, question },
}: {
  readonly asked: NonNullable<ClustersSlice['pluginQuestion']>
}): ReactNode {
  const cancel = useAppState((state) => state.cancelPlugin)
  const open = useAppState((state) => state.openContext)
  const { commandLine, program, from, variables, installHint } = question
  return (
    <Dialog title={words.title} onClose={cancel}>
      <div className={styles['head']}>
        <span className={styles['sign']}>
          <Icon name="term" />
        </span>
        <h2>{words.title}</h2>
      </div>
      <div className={styles['body']}>
        <p className={styles['rule']}>{words.meaning(choice.context, from)}</p>
        <CommandLine line={commandLine} isWrapped />
        {program === '' ? (
          <Note variant="error" icon="error">
            <p>
              {words.notFound} {installHint}
            </p>
          </Note>
        ) : (
          <KeyValueList
            items={[
              { label: words.found, value: <code>{program}</code> },
              ...(variables.length === 0
                ? []
                : [{ label: words.variables, value: variables.join(', ') }]),
            ]}
          />
        )}
      </div>
      <div className={styles['foot']}>
        <span data-autofocus>
          <Button onClick={cancel}>{text.common.cancel}</Button>
        </span>
        <Button
          variant="primary"
          isRefused={program === ''}
          onClick={() => void open(choice, commandLine)}
        >
          {words.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
