/**
 * Exports histograms that are plain numbers as metric data of the library. The histogram instrument of the library
 * would look up its labels at every measurement, which is too expensive for a busy process.
 */
import { ValueType } from '@opentelemetry/api'
import { emptyResource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import type { HistogramMetricData, MetricProducer } from '@opentelemetry/sdk-metrics'
import type { HistogramMetric, HistogramSample } from '../platform/metrics.ts'

type Instant = HistogramMetricData['dataPoints'][number]['startTime']

export function produceHistograms(histograms: readonly HistogramMetric[]): MetricProducer {
  const startTime = toInstant(Date.now())
  return {
    async collect() {
      const endTime = toInstant(Date.now())
      const metrics = histograms.map((histogram) => toMetricData(histogram, startTime, endTime))
      return {
        // The reader replaces it with the resource of the process.
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
  { name, help, read }: HistogramMetric,
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
