import { describe, expect, it } from 'vitest'
import type { ForecastMark } from '../../../shared/model/act.ts'
import { text } from '../../text/text.ts'
import { placeMarks } from './axis.ts'
import { parseGrace } from './GraceField.tsx'

const term: ForecastMark = { atSeconds: 0, label: 'SIGTERM', tone: 'plain' }
const kill: ForecastMark = { atSeconds: 10, label: 'SIGKILL', tone: 'kill' }
const gone: ForecastMark = { atSeconds: 11, label: 'object gone', tone: 'terminated' }

describe('placeMarks', () => {
  it('puts SIGTERM left, SIGKILL always at the same place, and the rest after it', () => {
    expect(placeMarks([term, kill, gone])).toEqual([
      { mark: term, place: 0, align: 'start' },
      { mark: kill, place: 0.7, align: 'end' },
      { mark: gone, place: 0.7 + 0.3 / 3, align: 'start' },
    ])
  })

  it('places what comes before SIGKILL to scale', () => {
    const half: ForecastMark = { atSeconds: 5, label: 'preStop ends', tone: 'plain' }
    expect(placeMarks([term, half, kill])[1]?.place).toBe(0.35)
  })

  it('does not cut off the words of a SIGKILL that comes at once', () => {
    expect(placeMarks([{ ...kill, atSeconds: 0 }])[0]).toMatchObject({ place: 0, align: 'start' })
  })

  it('returns nothing for a forecast without marks', () => {
    expect(placeMarks([])).toEqual([])
  })
})

describe('the words of a dialog', () => {
  it.each([
    [10, '10 s'],
    [0, '0 s'],
    [2.5, '2.5 s'],
    [10.04, '10 s'],
  ])('%s seconds are %s', (seconds, expected) => {
    expect(text.acts.forecast.seconds(seconds)).toBe(expected)
  })

  it.each([
    ['', null],
    [' ', null],
    ['abc', NaN],
    ['0', 0],
    ['05', 5],
    ['1 0', NaN],
    ['1.5', NaN],
    ['-3', NaN],
    ['86400', 86_400],
    ['999999999', NaN],
  ])('%j is a grace of %s', (input, seconds) => {
    expect(parseGrace(input)).toBe(seconds)
  })
})
