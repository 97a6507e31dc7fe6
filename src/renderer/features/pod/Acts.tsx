import type { KeyboardEvent, ReactNode } from 'react'
import { useId } from 'react'
import type { Act, ActFacts } from '../../../shared/model/act.ts'
import { forecastAct } from '../../../shared/model/forecast/forecast.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Acts.module.css'

interface Offer {
  readonly act: Act
  readonly words: string
  readonly icon: IconName
  readonly shortcut: string
}

const kill: Offer = { act: 'kill', words: 'Kill…', icon: 'kill', shortcut: 'X' }
const evictions: readonly Offer[] = [
  { act: 'evictByKubelet', words: 'Evict by the kubelet…', icon: 'node', shortcut: 'Shift+E' },
  { act: 'evictThroughApi', words: 'Evict through the API…', icon: 'evict', shortcut: 'E' },
]
const deletions: readonly Offer[] = [
  { act: 'delete', words: 'Delete…', icon: 'trash', shortcut: 'D' },
  { act: 'forceDelete', words: 'Delete by force…', icon: 'trash', shortcut: 'Shift+D' },
]
const mirrorDeletion: Offer = {
  act: 'deleteMirror',
  words: 'Delete mirror…',
  icon: 'mirror',
  shortcut: 'D',
}

/** What the API server has of a static pod is its mirror, so that is what can be deleted there. */
function offersFor(row: PodRow): readonly Offer[] {
  return [kill, ...evictions, ...(row.kind === 'regular' ? deletions : [mirrorDeletion])]
}

const lost = 'The page lost its connection to Nodescope.'

/** Acts that share a reason share one line of it. */
function reasonsOf(
  refusals: readonly { readonly words: string; readonly refusal: string }[],
): readonly { readonly refusal: string; readonly names: string }[] {
  const names = new Map<string, string[]>()
  for (const { words, refusal } of refusals) {
    const short = words.replace('…', '')
    names.set(refusal, [...(names.get(refusal) ?? []), short])
  }
  return [...names].map(([refusal, all]) => ({ refusal, names: all.join(', ') }))
}

/** Left and right go from act to act, round the end; each stays a tab stop. */
function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === event.target)
  if (by === 0 || at === -1) return
  buttons[(at + by + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}

/** What can be done to the pod; what cannot says why, beneath. */
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
  const judged = offersFor(row).map((offer) => ({
    ...offer,
    refusal: isLost ? lost : facts === null ? '' : forecastAct(offer.act, facts, null).refusal,
  }))
  const reasons = reasonsOf(judged.filter(({ refusal }) => refusal !== ''))
  return (
    <>
      <div
        className={styles['acts']}
        role="toolbar"
        tabIndex={-1}
        aria-label="Acts"
        onKeyDown={moveAlong}
      >
        {judged.map(({ act, words, icon, shortcut, refusal }) => (
          <Button
            key={act}
            look={act === 'deleteMirror' ? 'plain' : 'danger'}
            icon={icon}
            title={`${words} (${shortcut})`}
            isRefused={refusal !== '' || facts === null}
            refusedBecause={refusal === '' ? undefined : reasonsId}
            onClick={() => askAct({ act, key: row.key, graceSeconds: null })}
          >
            {words}
          </Button>
        ))}
      </div>
      {reasons.length === 0 ? null : (
        <ul id={reasonsId} className={styles['reasons']}>
          {reasons.map(({ refusal, names }) => (
            <li key={refusal}>
              <Icon name="shield" />
              <span>
                {reasons.length === 1 && judged.every((offer) => offer.refusal !== '') ? null : (
                  <b>{names}: </b>
                )}
                {refusal}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
