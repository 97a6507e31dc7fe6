import { useCallback, useEffect, useRef, useState } from 'react'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import { useStore } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'

/** How long the value of a Secret is shown. */
const shownSeconds = 10

/** A variable of a container. */
export interface VariableRef {
  readonly container: string
  readonly variable: string
}

/** The one value that is shown, or why it is not. */
export interface ShownValue extends VariableRef {
  readonly value: string
  /** Why main did not give it; else empty. */
  readonly failure: string
  readonly secondsLeft: number
}

interface ShownValueControl {
  readonly shown: ShownValue | null
  /** Asks main for the value; of the shown one: hides it. */
  readonly toggle: (of: VariableRef) => void
}

function isSame(a: VariableRef | null, b: VariableRef): boolean {
  return a?.container === b.container && a.variable === b.variable
}

/** The value of at most one Secret at a time, for ten seconds; it is asked of main for each showing, and kept nowhere else. */
export function useShownValue(key: PodKey): ShownValueControl {
  const { bridge } = useStore()
  const [shown, setShown] = useState<ShownValue | null>(null)
  const wanted = useRef<VariableRef | null>(null)
  useEffect(() => {
    if (shown === null) return undefined
    const timer = setTimeout(() => {
      const secondsLeft = shown.secondsLeft - 1
      if (secondsLeft === 0) wanted.current = null
      setShown(secondsLeft === 0 ? null : { ...shown, secondsLeft })
    }, 1000)
    return () => clearTimeout(timer)
  }, [shown])
  useEffect(
    () => () => {
      wanted.current = null
    },
    [],
  )
  const toggle = useCallback(
    (of: VariableRef) => {
      const isHidden = !isSame(wanted.current, of)
      wanted.current = isHidden ? of : null
      setShown(null)
      if (!isHidden) return
      const show = (value: string, failure: string): void => {
        if (wanted.current === of) setShown({ ...of, value, failure, secondsLeft: shownSeconds })
      }
      bridge.request('pod.variable', { key, ...of }).then(
        (answer) => {
          if (answer.ok) show(answer.value.value, '')
          else show('', answer.error.message)
        },
        () => show('', text.common.pageLost),
      )
    },
    [bridge, key],
  )
  return { shown, toggle }
}
