package org.onesided.tools.load.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Writes a result as JSON, in the format of {@code docs/load.md}. Latencies are in nanoseconds.
 */
public final class ResultJson
{
    /** Name of the format; changes if old readers would misunderstand it. */
    public static final String FORMAT = "onesided-load/1";

    private final JsonGenerator json;

    private ResultJson(final JsonGenerator json)
    {
        this.json = json;
    }

    /**
     * Writes a result and a line end.
     *
     * @param result to write.
     * @param out    destination; flushed, not closed.
     * @throws IOException if it cannot be written.
     */
    public static void write(final RunResult result, final OutputStream out) throws IOException
    {
        try (JsonGenerator json = new JsonFactory().createGenerator(out))
        {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.setPrettyPrinter(new DefaultPrettyPrinter(
                Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER)));
            new ResultJson(json).write(result);
            json.writeRaw('\n');
        }
        out.flush();
    }

    private void write(final RunResult result) throws IOException
    {
        json.writeStartObject();
        json.writeStringField("format", FORMAT);
        json.writeStringField("version", result.version());
        json.writeArrayFieldStart("command");
        for (final String word : result.command())
        {
            json.writeString(word);
        }
        json.writeEndArray();
        json.writeStringField("start", result.start().toString());
        write(result.machine());
        write(result.settings());
        write(result.store());
        json.writeArrayFieldStart("phases");
        for (final PhaseResult phase : result.phases())
        {
            write(phase);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void write(final Machine machine) throws IOException
    {
        json.writeObjectFieldStart("machine");
        json.writeStringField("host", machine.host());
        json.writeStringField("os", machine.os());
        json.writeStringField("cpu", machine.cpu());
        json.writeNumberField("cores", machine.cores());
        json.writeNumberField("memoryBytes", machine.memoryBytes());
        json.writeStringField("java", machine.java());
        json.writeEndObject();
    }

    private void write(final Settings settings) throws IOException
    {
        json.writeObjectFieldStart("settings");
        json.writeStringField("workload", settings.workload());
        json.writeObjectFieldStart("mix");
        for (final Map.Entry<String, Double> part : settings.mix().entrySet())
        {
            json.writeNumberField(part.getKey(), part.getValue());
        }
        json.writeEndObject();
        json.writeStringField("readModifyWrite", settings.readModifyWrite());
        json.writeNumberField("ttlMs", settings.ttlMs());
        json.writeStringField("distribution", settings.distribution());
        json.writeNumberField("records", settings.records());
        json.writeNumberField("operations", settings.operations());
        json.writeNumberField("durationMs", settings.durationMs());
        json.writeNumberField("warmUpMs", settings.warmUpMs());
        json.writeNumberField("threads", settings.threads());
        json.writeNumberField("clients", settings.clients());
        json.writeNumberField("target", settings.target());
        json.writeNumberField("fieldCount", settings.fieldCount());
        json.writeNumberField("fieldLength", settings.fieldLength());
        json.writeNumberField("valueLength", settings.valueLength());
        json.writeStringField("keyOrder", settings.keyOrder());
        // JavaScript would round a 64-bit number.
        json.writeStringField("seed", Long.toString(settings.seed()));
        json.writeBooleanField("verified", settings.verified());
        json.writeEndObject();
    }

    private void write(final StoreFacts store) throws IOException
    {
        json.writeObjectFieldStart("store");
        json.writeStringField("kind", store.kind());
        json.writeStringField("address", store.address());
        json.writeStringField("device", store.device());
        json.writeNumberField("shards", store.shards());
        json.writeNumberField("regionBytes", store.regionBytes());
        json.writeBooleanField("hugePages", store.hugePages());
        json.writeEndObject();
    }

    private void write(final PhaseResult phase) throws IOException
    {
        json.writeStartObject();
        json.writeStringField("phase", phase.name());
        json.writeStringField("start", phase.start().toString());
        json.writeNumberField("elapsedNs", phase.elapsedNs());
        json.writeStringField("ending", phase.ending().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("done", phase.done());
        json.writeNumberField("failed", phase.failed());
        json.writeNumberField("behind", phase.behind());
        json.writeObjectFieldStart("conflicts");
        json.writeNumberField("puts", phase.conflicts().puts());
        json.writeNumberField("givenUp", phase.conflicts().givenUp());
        json.writeEndObject();
        json.writeNumberField("throughput", phase.throughput());
        json.writeArrayFieldStart("operations");
        for (final OperationResult operation : phase.operations())
        {
            write(operation, phase.elapsedNs());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("intervals");
        for (final IntervalResult interval : phase.intervals())
        {
            write(interval);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("failures");
        for (final FailureCount failure : phase.failures())
        {
            write(failure);
        }
        json.writeEndArray();
        write(phase.verification());
        write(phase.client(), phase.readsPerGet());
        json.writeObjectFieldStart("cpu");
        json.writeNumberField("serverNs", phase.serverCpuNs());
        json.writeNumberField("clientNs", phase.clientCpuNs());
        json.writeEndObject();
        json.writeArrayFieldStart("notes");
        for (final String note : phase.notes())
        {
            json.writeString(note);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void write(final OperationResult operation, final long elapsedNs) throws IOException
    {
        json.writeStartObject();
        json.writeStringField("operation", operation.operation());
        json.writeNumberField("count", operation.service().getTotalCount());
        json.writeNumberField("failed", operation.failed().getTotalCount());
        json.writeNumberField(
            "throughput", elapsedNs == 0 ? 0 : operation.service().getTotalCount() * 1e9 / elapsedNs);
        write("service", operation.service());
        if (operation.intended() != null)
        {
            write("intended", operation.intended());
        }
        if (operation.failed().getTotalCount() > 0)
        {
            write("failures", operation.failed());
        }
        json.writeEndObject();
    }

    private void write(final String name, final Histogram histogram) throws IOException
    {
        final LatencySummary summary = LatencySummary.of(histogram);
        json.writeObjectFieldStart(name);
        json.writeNumberField("count", histogram.getTotalCount());
        json.writeNumberField("min", summary.min());
        json.writeNumberField("mean", summary.mean());
        json.writeNumberField("stddev", summary.deviation());
        json.writeNumberField("max", summary.max());
        json.writeObjectFieldStart("percentiles");
        for (final LatencySummary.Point point : summary.percentiles())
        {
            json.writeNumberField(LatencySummary.name(point.percentile()), point.latencyNs());
        }
        json.writeEndObject();
        json.writeArrayFieldStart("curve");
        for (final LatencySummary.Point point : summary.curve())
        {
            json.writeStartArray();
            json.writeNumber(point.percentile());
            json.writeNumber(point.latencyNs());
            json.writeEndArray();
        }
        json.writeEndArray();
        final ByteBuffer whole = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(whole);
        json.writeFieldName("histogram");
        json.writeBinary(whole.array(), 0, length);
        json.writeEndObject();
    }

    private void write(final IntervalResult interval) throws IOException
    {
        json.writeStartObject();
        json.writeNumberField("startMs", interval.startMs());
        json.writeNumberField("lengthMs", interval.lengthMs());
        json.writeNumberField("conflicts", interval.conflicts());
        json.writeArrayFieldStart("operations");
        for (final IntervalResult.Operation operation : interval.operations())
        {
            json.writeStartObject();
            json.writeStringField("operation", operation.operation());
            json.writeNumberField("count", operation.count());
            json.writeNumberField("failed", operation.failed());
            json.writeNumberField("p50", operation.p50Ns());
            json.writeNumberField("p99", operation.p99Ns());
            json.writeNumberField("max", operation.maxNs());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void write(final FailureCount failure) throws IOException
    {
        json.writeStartObject();
        json.writeStringField("operation", failure.operation());
        json.writeStringField("kind", failure.kind());
        json.writeNumberField("count", failure.count());
        json.writeStringField("example", failure.example());
        json.writeEndObject();
    }

    private void write(final Verification verification) throws IOException
    {
        json.writeObjectFieldStart("verification");
        json.writeNumberField("verified", verification.verified());
        json.writeArrayFieldStart("faults");
        for (final Verification.FaultCount fault : verification.faults())
        {
            json.writeStartObject();
            json.writeStringField("kind", fault.kind());
            json.writeNumberField("count", fault.count());
            json.writeStringField("example", fault.example());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void write(final ClientTotals client, final double readsPerGet) throws IOException
    {
        json.writeObjectFieldStart("client");
        json.writeNumberField("gets", client.gets());
        json.writeNumberField("misses", client.misses());
        json.writeNumberField("mirrorHits", client.mirrorHits());
        json.writeNumberField("bucketReads", client.bucketReads());
        json.writeNumberField("recordReads", client.recordReads());
        json.writeNumberField("bytesRead", client.bytesRead());
        json.writeNumberField("retries", client.retries());
        json.writeNumberField("rpcGets", client.rpcGets());
        json.writeNumberField("puts", client.puts());
        json.writeNumberField("reconnects", client.reconnects());
        json.writeNumberField("readsPerGet", readsPerGet);
        json.writeEndObject();
    }
}
