/** A hidden tab draws no frames; it acknowledges patches at this interval instead. */
const hiddenTabMs = 250

/** Calls back after the next frame, or a little later without one. */
export function afterPaint(callback: () => void): void {
  let isDone = false
  const once = (): void => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    callback()
  }
  const timer = setTimeout(once, hiddenTabMs)
  const frame = requestAnimationFrame(once)
}
