package org.onesided.protocol.table;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import net.openhft.hashing.LongHashFunction;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.onesided.benchmark.parts.OffHeap;
import org.onesided.benchmark.parts.PartBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Candidates for the record check, over records in native memory with a key of 16 bytes, and what a plain copy of the
 * same record takes. docs/record-check.md shows and judges the numbers.
 */
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class RecordCheckBenchmark extends PartBenchmark
{
    private static final int KEY_LENGTH = 16;
    private static final long SEED = 77;

    /** Computes something over bytes in native memory. */
    private interface Code
    {
        long of(long address, int length);
    }

    @Param({
        "check", "xxh3", "xxh64", "komihash", "wyhash", "rapidhash", "farmhash", "metrohash", "polymurhash",
        "xxh3-openhft", "crc32c", "crc32", "crc32c-and-crc32", "copy", "copy-and-check"})
    private String code;
    @Param({"100", "1024", "4096", "65536"})
    private int valueLength;

    private final CRC32C crc32c = new CRC32C();
    private final CRC32 crc32 = new CRC32();
    private OffHeap memory;
    private ByteBuffer view;
    private long target;
    private Code codes;

    /** For JMH, which sets what it measures. */
    public RecordCheckBenchmark()
    {
    }

    RecordCheckBenchmark(final String code, final int valueLength)
    {
        this.code = code;
        this.valueLength = valueLength;
    }

    /** */
    @Setup(Level.Trial)
    public void begin()
    {
        final int length = (int)RecordDescriptor.length(KEY_LENGTH, valueLength);
        memory = new OffHeap(2L * length + 64);
        target = memory.address() + length + 64 & -64;
        // The CRCs of the JDK take no raw address: this view costs them nothing here, but would for each record.
        view = ByteBuffer.allocateDirect(length - RecordDescriptor.FLAGS_OFFSET);
        UnsafeApi.copyMemory(memory.address(), BufferUtil.address(view), view.capacity());
        codes = codes();
    }

    private Code codes()
    {
        final RecordCheck check = new RecordCheck(SEED);
        return switch (code)
        {
            case "check" -> (address, length) -> check.code(address, length, 4096);
            case "xxh3" -> hash(Hashing.xxh3_64(SEED));
            case "xxh64" -> hash(Hashing.xxh64(SEED));
            case "komihash" -> hash(Hashing.komihash5_0(SEED));
            case "wyhash" -> hash(Hashing.wyhashFinal4(SEED));
            case "rapidhash" -> hash(Hashing.rapidhashV3(SEED));
            case "farmhash" -> hash(Hashing.farmHashUo(SEED));
            case "metrohash" -> hash(Hashing.metroHash64(SEED));
            case "polymurhash" -> hash(Hashing.polymurHash2_0(SEED, SEED));
            case "xxh3-openhft" ->
            {
                final LongHashFunction function = LongHashFunction.xx3(SEED);
                yield (address, length) -> function.hashMemory(
                    address + RecordDescriptor.FLAGS_OFFSET, length - RecordDescriptor.FLAGS_OFFSET);
            }
            case "crc32c" -> (address, length) -> crc32c();
            case "crc32" -> (address, length) -> crc32();
            case "crc32c-and-crc32" -> (address, length) -> crc32c() << Integer.SIZE | crc32();
            case "copy" -> (address, length) ->
            {
                UnsafeApi.copyMemory(address, target, length);
                return UnsafeApi.getLong(target);
            };
            case "copy-and-check" -> (address, length) ->
            {
                UnsafeApi.copyMemory(address, target, length);
                return check.code(target, length, 4096);
            };
            default -> throw new IllegalArgumentException("no such code: code=" + code);
        };
    }

    private static Code hash(final Hasher64 hasher)
    {
        return (address, length) -> hasher.hashBytesToLong(
            null, address + RecordDescriptor.FLAGS_OFFSET, length - RecordDescriptor.FLAGS_OFFSET, RawBytes.INSTANCE);
    }

    private long crc32c()
    {
        crc32c.reset();
        crc32c.update(view.clear());
        return crc32c.getValue();
    }

    private long crc32()
    {
        crc32.reset();
        crc32.update(view.clear());
        return crc32.getValue();
    }

    /** */
    @TearDown(Level.Trial)
    public void end()
    {
        memory.close();
    }

    /**
     * @return the code.
     */
    @Benchmark
    public long code()
    {
        return codes.of(memory.address(), (int)RecordDescriptor.length(KEY_LENGTH, valueLength));
    }
}
