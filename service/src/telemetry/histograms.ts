/**
 * Histograms that are plain numbers, handed to the exporter as the library's own metric data. Its histogram instrument
 * would look its labels up at every measurement, which costs a busy process more than the measurement is worth.
 */
import { ValueType } from '@opentelemetry/api'
import { emptyResource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import type { HistogramMetricData, MetricProducer } from '@opentelemetry/sdk-metrics'
import type { HistogramFigure, HistogramSample } from '../platform/figures.ts'

type Instant = HistogramMetricData['dataPoints'][number]['startTime']

export function produceHistograms(figures: readonly HistogramFigure[]): MetricProducer {
  const startTime = toInstant(Date.now())
  return {
    async collect() {
      const endTime = toInstant(Date.now())
      const metrics = figures.map((figure) => toMetricData(figure, startTime, endTime))
      return {
        // That of the process is put in its place by the reader.
        resourceMetrics: {
          resource: emptyResource(),
          scopeMetrics: [{ scope: { name: 'concord' }, metrics }],
        },
        errors: [],
      }
    },
  }
}

function toMetricData(
  { name, help, read }: HistogramFigure,
  startTime: Instant,
  endTime: Instant,
): HistogramMetricData {
  return {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: read().map((sample) => ({
      startTime,
      endTime,
      attributes: { ...sample.labels },
      value: toValue(sample),
    })),
  }
}

function toValue({ histogram }: HistogramSample) {
  const counts = [...histogram.counts]
  return {
    buckets: { boundaries: [...histogram.bounds], counts },
    count: counts.reduce((all, each) => all + each, 0),
    sum: histogram.sum(),
  }
}

function toInstant(epochMs: number): Instant {
  return [Math.floor(epochMs / 1_000), (epochMs % 1_000) * 1_000_000]
}
