import type { Page } from 'playwright/test'

/**
 * Runs in the page: returns a sentence for each overlap in the picture. Compares every label with every other, with
 * the edge of every box, and with the pill of a packet at each point of its arrow (a pill fades in and out over a
 * tenth of the path). A label on a plate is drawn over the arrow that passes it.
 */
const findCollisions = `(() => {
  const svg = document.querySelector('main svg[role="group"]')
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
  const pill = { width: 17.5 * scale, height: 7.5 * scale }
  const slack = 0.75
  const found = []
  const boxOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return { left, top, right, bottom }
  }
  const meet = (one, other) =>
    one.left < other.right - slack && other.left < one.right - slack &&
    one.top < other.bottom - slack && other.top < one.bottom - slack
  const isIn = (one, other) =>
    one.left >= other.left - slack && one.right <= other.right + slack &&
    one.top >= other.top - slack && one.bottom <= other.bottom + slack
  const labels = [...svg.querySelectorAll('text')]
    .filter((text) => text.textContent.trim() !== '' && text.closest('[data-packet], [data-badge]') === null)
    .map((text) => ({ words: text.textContent, box: boxOf(text), onPlate: text.closest('[data-plate]') !== null }))
  for (const [index, label] of labels.entries())
    for (const other of labels.slice(index + 1))
      if (meet(label.box, other.box)) found.push('"' + label.words + '" over "' + other.words + '"')
  const picture = boxOf(svg)
  for (const { words, box } of labels) if (!isIn(box, picture)) found.push('"' + words + '" leaves the picture')
  for (const frame of svg.querySelectorAll('[data-frame]')) {
    const edge = boxOf(frame)
    for (const { words, box, onPlate } of labels)
      if (!onPlate && meet(box, edge) && !isIn(box, edge))
        found.push('"' + words + '" crosses the edge of ' + frame.dataset.frame)
  }
  for (const badge of svg.querySelectorAll('[data-badge] circle'))
    for (const { words, box } of labels)
      if (meet(box, boxOf(badge))) found.push('"' + words + '" under the number of a step')
  for (const arrow of svg.querySelectorAll('[data-arrow]')) {
    const wire = arrow.querySelector('path')
    const length = wire.getTotalLength()
    const toScreen = wire.getScreenCTM()
    for (const { words, box, onPlate } of labels) {
      if (onPlate) continue
      for (let at = length * 0.1; at <= length * 0.9; at += 2) {
        const { x, y } = wire.getPointAtLength(at).matrixTransform(toScreen)
        const here = { left: x - pill.width, right: x + pill.width, top: y - pill.height, bottom: y + pill.height }
        if (!meet(box, here)) continue
        found.push('"' + words + '" under a pill on ' + arrow.dataset.arrow)
        break
      }
    }
  }
  return found
})()`

/** The overlaps in the picture of the kubelet; see `findCollisions`. */
export async function flowCollisions(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(findCollisions)) as readonly string[] // the script's own form
}

/** How many px of the picture are hidden without scrolling, horizontally and vertically. */
export async function flowOverflow(page: Page): Promise<readonly [number, number]> {
  return (await page.evaluate(`(() => {
    const room = document.querySelector('main svg[role="group"]').parentElement.parentElement
    return [room.scrollWidth - room.clientWidth, room.scrollHeight - room.clientHeight]
  })()`)) as [number, number] // the script's own form
}
