import { useMemo } from 'react'
import { shownCluster } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { useObserved } from '../../../store/use-observed.ts'

/** `packets`: packets run along the arrows; `glow`: arrows brighten; `counts`: only numbers change; `still`: the clock is paused. */
export type Motion = 'packets' | 'glow' | 'counts' | 'still'

/** How much may move at a clock's speed. Pure. */
export function motionAt({
  paused,
  speed,
  isReduced,
}: {
  readonly paused: boolean
  readonly speed: number
  readonly isReduced: boolean
}): Motion {
  if (paused) return 'still'
  if (isReduced || speed >= 1000) return 'counts'
  return speed >= 10 ? 'glow' : 'packets'
}

export function useMedia(query: string): boolean {
  const media = useMemo(() => {
    const list = window.matchMedia(query)
    const subscribe = (listener: () => void): (() => void) => {
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    }
    return { list, subscribe }
  }, [query])
  return useObserved(media, () => media.list.matches)
}

export function useIsReduced(): boolean {
  return useMedia('(prefers-reduced-motion: reduce)')
}

export function useIsPaused(): boolean {
  return useAppState((state) => shownCluster(state)?.clock.paused ?? false)
}

export function useMotion(): Motion {
  const isReduced = useIsReduced()
  const paused = useIsPaused()
  const speed = useAppState((state) => shownCluster(state)?.clock.speed ?? 1)
  return motionAt({ paused, speed, isReduced })
}
