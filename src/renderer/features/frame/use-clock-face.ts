import { useEffect, useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { useStore, useTicking } from '../../store/store-context.ts'
import type { ClockFace } from './clock-display.ts'
import { clockFace } from './clock-display.ts'

const tenthMs = 100

function wantsLessMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** The digits of a cluster's clock: at the page's ticks, and ten times a second while tenths are shown. */
export function useClockFace({ id, clock }: ClusterView): ClockFace {
  const { clocks } = useStore()
  useTicking(id, (now) => now, 0)
  const [, setBeat] = useState(0)
  const hasTenths = clockFace(0, clock, wantsLessMotion()).fraction.length === 2
  useEffect(() => {
    if (!hasTenths) return undefined
    const timer = setInterval(() => setBeat((beat) => beat + 1), tenthMs)
    return () => clearInterval(timer)
  }, [hasTenths])
  const now = clocks.precise(id)
  if (now === undefined) return { seconds: '--:--:--', fraction: '' }
  return clockFace(now, clock, wantsLessMotion())
}
