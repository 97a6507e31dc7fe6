import { expect, it } from 'vitest'
import { openApiV2Response } from './openapi-v2.ts'

const path = '/openapi/v2'

it('is an empty document in protobuf for kubectl', () => {
  // As kubectl sends it, with the @ that it cannot read in an answer.
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
  const response = openApiV2Response({ method: 'GET', path, headers: { accept } })
  const info = '\n\x11Nodescope sandbox\x12\x11v1.34.0+nodescope'
  expect(response).toEqual({
    kind: 'text',
    status: 200,
    contentType: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    body: Buffer.from(`\n\x032.0\x12\x26${info}\x42\x00`),
  })
})

it('is the same in JSON for other clients', () => {
  expect(openApiV2Response({ method: 'GET', path })).toEqual({
    kind: 'object',
    status: 200,
    body: {
      swagger: '2.0',
      info: { title: 'Nodescope sandbox', version: 'v1.34.0+nodescope' },
      paths: {},
    },
  })
})

it('answers no other requests', () => {
  expect(openApiV2Response({ method: 'POST', path })).toBeUndefined()
  expect(openApiV2Response({ method: 'GET', path: '/openapi/v3' })).toBeUndefined()
})
