import type { ReactNode } from 'react'
import { humanDuration } from '../../../../shared/kubernetes/printers/age.ts'
import type { KubeconfigContext } from '../../../../shared/model/seen/kubeconfigs.ts'
import type { ListedKubeconfig } from '../../../store/slices/clusters-slice.ts'
import { contextId } from '../../../store/slices/clusters-slice.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useWallSeconds } from '../../../store/use-wall-seconds.ts'
import { clusterStyle } from '../cluster-color.ts'
import styles from './ClustersView.module.css'
import { signInWords } from './kubeconfig-words.ts'

const words = text.clusters.open

interface RowProps {
  readonly kubeconfig: ListedKubeconfig
  readonly context: KubeconfigContext
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onOpen: () => void
}

function SignsIn({ context }: { readonly context: KubeconfigContext }): ReactNode {
  const { word, program, isBad } = signInWords(context.signIn, useWallSeconds())
  return (
    <span className={classNames(isBad && styles['bad'])}>
      {word} {program === '' ? null : <code>{program}</code>}
    </span>
  )
}

function LastOpened({ kubeconfig, context }: Pick<RowProps, 'kubeconfig' | 'context'>): ReactNode {
  const now = useWallSeconds()
  const opening = useAppState((state) => state.openingContext)
  if (opening === contextId({ source: kubeconfig.source, context: context.name }))
    return words.opening
  if (context.cluster !== '') return words.isOpen
  return context.lastOpenedAt === null
    ? words.never
    : words.ago(humanDuration(now - context.lastOpenedAt))
}

/** A context; why it cannot be opened, or why opening it failed, is below it. */
function ContextRow({ kubeconfig, context, isChosen, onChoose, onOpen }: RowProps): ReactNode {
  const id = contextId({ source: kubeconfig.source, context: context.name })
  const failed = useAppState((state) => state.openProblems[id] ?? '')
  const problem = failed === '' ? context.problem : failed
  return (
    <>
      <tr className={classNames(isChosen && styles['selected'])}>
        <th scope="row">
          <span
            className={classNames(styles['swatch'], context.color === null && styles['noColor'])}
            style={clusterStyle(context.color ?? 0)}
          />
          <button
            type="button"
            className={styles['context']}
            data-context={context.name}
            aria-pressed={isChosen}
            onFocus={onChoose}
            onClick={(event) => {
              // A click chooses, as in every list; Enter opens. `detail` is 0 for a key.
              if (event.detail === 0 || isChosen) onOpen()
              else onChoose()
            }}
          >
            {context.name}
          </button>
        </th>
        <td>
          <code>{context.server}</code>
        </td>
        <td>{context.userName}</td>
        <td>
          <SignsIn context={context} />
        </td>
        <td>{context.namespace}</td>
        <td className={styles['last']}>
          <LastOpened kubeconfig={kubeconfig} context={context} />
        </td>
      </tr>
      {problem === '' ? null : (
        <tr className={classNames(isChosen && styles['selected'])}>
          <td colSpan={6} className={styles['problem']}>
            <span role="alert">{problem}</span>
          </td>
        </tr>
      )}
    </>
  )
}

/** The contexts of one kubeconfig. */
export function ContextTable({
  kubeconfig,
  contexts,
  chosen,
  onChoose,
  onOpen,
}: {
  readonly kubeconfig: ListedKubeconfig
  readonly contexts: readonly KubeconfigContext[]
  readonly chosen: string
  readonly onChoose: (context: string) => void
  readonly onOpen: (context: KubeconfigContext) => void
}): ReactNode {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          {words.heads.map((head) => (
            <th key={head}>{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {contexts.map((context) => (
          <ContextRow
            key={context.name}
            kubeconfig={kubeconfig}
            context={context}
            isChosen={context.name === chosen}
            onChoose={() => onChoose(context.name)}
            onOpen={() => onOpen(context)}
          />
        ))}
      </tbody>
    </table>
  )
}
