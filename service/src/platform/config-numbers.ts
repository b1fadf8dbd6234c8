/** Settings that are whole numbers: written in digits, within bounds. */
import { z } from 'zod'

export const wholeNumberOrNone = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .optional()

export const wholeNumber = (min: number, max: number, fallback: number) =>
  wholeNumberOrNone(min, max).default(fallback)
