import { afterEach, describe, expect, it } from 'vitest'
import { standaloneSvg } from './copy-picture.ts'

afterEach(() => document.body.replaceChildren())

function picture(): SVGSVGElement {
  const sheet = document.createElement('style')
  sheet.textContent = '.part { fill: rgb(1, 2, 3) }'
  const place = document.createElement('div')
  place.innerHTML =
    '<svg viewBox="0 0 1264 760"><g style="transform: rotate(60deg)"><rect class="part" width="9" height="9"/></g><g data-packet=""><circle r="3"/></g></svg>'
  document.body.append(sheet, place)
  const svg = place.querySelector('svg')
  if (svg === null) throw new Error('no svg')
  return svg
}

describe('a copied picture', () => {
  it('has the styles of the page as attributes, since a style attribute would be blocked', () => {
    const text = standaloneSvg(picture(), '')
    expect(text).toContain('fill="rgb(1, 2, 3)"')
    expect(text).not.toMatch(/ (style|class)=/)
  })

  it('has no packets', () => {
    expect(standaloneSvg(picture(), '')).not.toContain('<circle')
  })

  it('has a size, a background and its fonts', () => {
    const text = standaloneSvg(picture(), '@font-face { font-family: Inter }')
    expect(text).toMatch(/^<svg[^>]* width="1264"/)
    expect(text).toContain('@font-face { font-family: Inter }')
    expect(text).toContain('width="100%"')
  })

  it('does not change the picture on the page', () => {
    const svg = picture()
    const before = svg.outerHTML
    standaloneSvg(svg, '')
    expect(svg.outerHTML).toBe(before)
  })
})
