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
  it('carries what the style sheets give it as attributes, since a style attribute would be blocked', () => {
    const text = standaloneSvg(picture(), '')
    expect(text).toContain('fill="rgb(1, 2, 3)"')
    expect(text).not.toMatch(/ (style|class)=/)
  })

  it('holds no packet that was under way', () => {
    expect(standaloneSvg(picture(), '')).not.toContain('<circle')
  })

  it('has a size, a ground and the fonts that it is drawn in', () => {
    const text = standaloneSvg(picture(), '@font-face { font-family: Inter }')
    expect(text).toMatch(/^<svg[^>]* width="1264"/)
    expect(text).toContain('@font-face { font-family: Inter }')
    expect(text).toContain('width="100%"')
  })

  it('leaves the picture on the screen as it was', () => {
    const svg = picture()
    const before = svg.outerHTML
    standaloneSvg(svg, '')
    expect(svg.outerHTML).toBe(before)
  })
})
