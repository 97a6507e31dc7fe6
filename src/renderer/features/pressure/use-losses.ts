import { useEffect, useRef, useState } from 'react'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { LossForecast, LossResult, LossWay } from '../../../shared/model/loss/loss.ts'
import { lossDifferences } from '../../../shared/model/loss/loss-differences.ts'
import { lossWays } from '../../../shared/model/loss/loss.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { requestResult } from '../../store/request-result.ts'
import { useAnswer } from '../../store/requests/use-answer.ts'
import { useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'

/** What a way did to the copy; `problem`: why it could not be tried. */
export type LossOutcome =
  | { readonly kind: 'running' }
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'done'; readonly result: LossResult }

export type LossOutcomes = Readonly<Partial<Record<LossWay, LossOutcome>>>

export interface Losses {
  readonly forecasts: readonly LossForecast[] | null
  /** Why there is no forecast; else empty. */
  readonly refusal: string
  readonly outcomes: LossOutcomes
  readonly isRunning: boolean
  readonly run: (ways: readonly LossWay[]) => void
  readonly clear: () => void
}

const ask = async (bridge: Bridge, key: PodKey) => bridge.request('pod.losses', { key })

/** The ways to lose a pod, and what was run of them until the pod is another one. */
export function useLosses(key: PodKey): Losses {
  const { bridge } = useStore()
  const { value } = useAnswer(text.pressure.losses.request, key, ask)
  const [outcomes, setOutcomes] = useState<LossOutcomes>({})
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const isRunning = Object.values(outcomes).some(({ kind }) => kind === 'running')
  const set = (way: LossWay, outcome: LossOutcome): void =>
    setOutcomes((before) => ({ ...before, [way]: outcome }))
  const runAll = async (ways: readonly LossWay[]): Promise<void> => {
    for (const way of ways) {
      if (isGone.current) return
      set(way, { kind: 'running' })
      const answer = await requestResult(bridge.request('pod.rehearseLoss', { key, way }))
      set(
        way,
        answer.ok
          ? { kind: 'done', result: answer.value }
          : { kind: 'problem', problem: answer.error.message },
      )
    }
  }
  return {
    forecasts: value?.ok === true ? value.value : null,
    refusal: value?.ok === false ? value.error.message : '',
    outcomes,
    isRunning,
    run: (ways) => {
      if (!isRunning) void runAll(ways)
    },
    clear: () => {
      if (!isRunning) setOutcomes({})
    },
  }
}

/** How many ways were run, and how many of them went as forecast. */
export function tally(outcomes: LossOutcomes): { readonly run: number; readonly same: number } {
  const results = lossWays.flatMap((way) => {
    const outcome = outcomes[way]
    return outcome?.kind === 'done' ? [outcome.result] : []
  })
  const same = results.filter((one) => lossDifferences(one.forecast, one).length === 0)
  return { run: results.length, same: same.length }
}
