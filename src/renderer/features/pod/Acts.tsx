import type { KeyboardEvent, ReactNode } from 'react'
import { useId } from 'react'
import type { ActFacts, PodAct } from '../../../shared/model/act.ts'
import { forecastAct } from '../../../shared/model/forecast/forecast.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Acts.module.css'

const acts: Readonly<Record<PodAct, { readonly icon: IconName; readonly shortcut: string }>> = {
  kill: { icon: 'kill', shortcut: 'X' },
  evictByKubelet: { icon: 'node', shortcut: 'Shift+E' },
  evictThroughApi: { icon: 'evict', shortcut: 'E' },
  delete: { icon: 'trash', shortcut: 'D' },
  forceDelete: { icon: 'trash', shortcut: 'Shift+D' },
  deleteMirror: { icon: 'mirror', shortcut: 'D' },
}

/** The API object of a static pod is its mirror, so only that can be deleted there. */
function actsOn({ kind }: PodRow): readonly PodAct[] {
  const deletions: readonly PodAct[] =
    kind === 'regular' ? ['delete', 'forceDelete'] : ['deleteMirror']
  return ['kill', 'evictByKubelet', 'evictThroughApi', ...deletions]
}

/** The names of the refused acts by the reason. */
function reasonsOf(
  offered: readonly { readonly act: PodAct; readonly refusal: string }[],
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const { act, refusal } of offered)
    if (refusal !== '') names.set(refusal, [...(names.get(refusal) ?? []), text.common.acts[act]])
  return names
}

/** Left and right move from act to act, from the last to the first too; each stays a tab stop. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === event.target)
  if (by === 0 || at === -1) return
  buttons[(at + by + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}

/** The acts on the pod, and below them why some are refused. */
export function Acts({
  row,
  facts,
}: {
  readonly row: PodRow
  readonly facts: ActFacts | null
}): ReactNode {
  const askAct = useAppState((state) => state.askAct)
  const isLost = useAppState((state) => isCutOff(state.link))
  const reasonsId = useId()
  const refusalOf = (act: PodAct): string => {
    if (isLost) return text.common.pageLost
    return facts === null ? '' : forecastAct(act, facts, null).refusal
  }
  const offered = actsOn(row).map((act) => ({ act, refusal: refusalOf(act) }))
  const reasons = reasonsOf(offered)
  const isForAll = reasons.size === 1 && offered.every(({ refusal }) => refusal !== '')
  return (
    <>
      <div
        className={styles['acts']}
        role="toolbar"
        tabIndex={-1}
        aria-label={text.pod.acts}
        onKeyDown={moveFocus}
      >
        {offered.map(({ act, refusal }) => (
          <Button
            key={act}
            variant={act === 'deleteMirror' ? 'plain' : 'danger'}
            icon={acts[act].icon}
            title={text.pod.actTitle(`${text.common.acts[act]}…`, acts[act].shortcut)}
            isRefused={refusal !== '' || facts === null}
            refusedBecause={refusal === '' ? undefined : reasonsId}
            onClick={() => askAct({ act, key: row.key, graceSeconds: null })}
          >
            {`${text.common.acts[act]}…`}
          </Button>
        ))}
      </div>
      {reasons.size === 0 ? null : (
        <ul id={reasonsId} className={styles['reasons']}>
          {[...reasons].map(([refusal, names]) => (
            <li key={refusal}>
              <Icon name="shield" />
              <span>
                {isForAll ? null : <b>{names.join(', ')}: </b>}
                {refusal}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
