package org.onesided.tools.load.output;

import java.util.Map;

/**
 * The requested settings of a load run.
 *
 * @param workload        its name, such as {@code b}, or that of a property file.
 * @param mix             operations by name, each with its fraction of all, in order.
 * @param readModifyWrite how read-modify-writes put: {@code plain}, {@code version} or {@code retry}.
 * @param ttlMs           how long keys live that are put, in milliseconds; 0 if the puts say nothing about it.
 * @param distribution    of the keys, such as {@code ycsb-zipfian}.
 * @param records         that the load phase puts.
 * @param operations      of the run phase, 0 if a duration ends it.
 * @param durationMs      of the run phase in milliseconds, 0 if it has no limit.
 * @param warmUpMs        of the run phase in milliseconds, before and beside its duration.
 * @param threads         per client process.
 * @param clients         processes.
 * @param target          operations per second of all clients together; 0 for as many as possible.
 * @param fieldCount      fields of a record.
 * @param fieldLength     bytes of a field.
 * @param keyOrder        {@code hashed} or {@code ordered}.
 * @param seed            of the random numbers.
 * @param verified        whether values were verified.
 */
public record Settings(
    String workload,
    Map<String, Double> mix,
    String readModifyWrite,
    long ttlMs,
    String distribution,
    long records,
    long operations,
    long durationMs,
    long warmUpMs,
    int threads,
    int clients,
    double target,
    int fieldCount,
    int fieldLength,
    String keyOrder,
    long seed,
    boolean verified)
{
    /**
     * @return bytes of a value: all fields together.
     */
    public int valueLength()
    {
        return Math.multiplyExact(fieldCount, fieldLength);
    }
}
