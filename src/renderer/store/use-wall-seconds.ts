import { useEffect, useState } from 'react'
import { useStore } from './store-context.ts'

/** The system clock in ms, read once a second: a connection is lost in real time. */
export function useWallSeconds(): number {
  const { wallClock } = useStore()
  const [now, setNow] = useState(wallClock)
  useEffect(() => {
    const timer = setInterval(() => setNow(wallClock()), 1000)
    return () => clearInterval(timer)
  }, [wallClock])
  return now
}
