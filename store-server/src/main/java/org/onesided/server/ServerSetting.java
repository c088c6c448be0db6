package org.onesided.server;

import static org.agrona.SystemUtil.getDurationInNanos;
import static org.agrona.SystemUtil.getSizeAsLong;

import java.util.concurrent.TimeUnit;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.rpc.ExpiryLimits;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * The server's numeric settings, each declared once: name, system property, unit, default and range.
 */
public enum ServerSetting
{
    /** Port to listen on, 0 for any free one. */
    PORT("port", "onesided.server.listen.port", Unit.NUMBER, Bootstrap.DEFAULT_PORT, 0, 0xFFFF),
    /** Requests that a session may have outstanding at a shard. */
    CREDITS("credits", "onesided.server.credits", Unit.NUMBER, 16, 1, 1024),
    /**
     * Length of the longest request or answer, from room for the longest key. The default has room for that key and a
     * value of nearly 4 KiB; longer values are pulled.
     */
    MESSAGE_LENGTH(
        "messageLength", "onesided.server.message.length", Unit.BYTES, 8 << 10, RecordDescriptor.MAX_KEY_LENGTH + 256,
        1 << 20),
    /** Maximum number of sessions. */
    MAX_SESSIONS("maxSessions", "onesided.server.max.sessions", Unit.NUMBER, 256, 1, 1 << 16),
    /** Maximum number of concurrent handshakes. */
    MAX_HANDSHAKES("maxHandshakes", "onesided.server.max.handshakes", Unit.NUMBER, 64, 1, 1 << 16),
    /**
     * Sessions at a time from one address, or one /64 of IPv6. 0 stands for three quarters of all sessions, but all
     * from loopback.
     */
    MAX_SESSIONS_PER_ADDRESS(
        "maxSessionsPerAddress", "onesided.server.max.sessions.per.address", Unit.NUMBER, 0, 0, 1 << 16),
    /**
     * Sessions at a time of one identity, the name of a token or the subject of a certificate. 0 stands for three
     * quarters of all sessions, but all where everybody has the same.
     */
    MAX_SESSIONS_PER_IDENTITY(
        "maxSessionsPerIdentity", "onesided.server.max.sessions.per.identity", Unit.NUMBER, 0, 0, 1 << 16),
    /**
     * Handshakes at a time from one address, or one /64 of IPv6. 0 stands for half of all handshakes, but all from
     * loopback.
     */
    MAX_HANDSHAKES_PER_ADDRESS(
        "maxHandshakesPerAddress", "onesided.server.max.handshakes.per.address", Unit.NUMBER, 0, 0, 1 << 16),
    /** A session ends when no message comes for so long. Clients send several heartbeats per lease. */
    LEASE(
        "leaseNs", "onesided.server.lease", Unit.NANOSECONDS, TimeUnit.SECONDS.toNanos(30),
        TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.DAYS.toNanos(1)),
    /** Time limit of a handshake. */
    HANDSHAKE_TIMEOUT(
        "handshakeTimeoutNs", "onesided.server.handshake.timeout", Unit.NANOSECONDS, TimeUnit.SECONDS.toNanos(5), 1,
        TimeUnit.DAYS.toNanos(1)),
    /** How long an idle shard spins before it sleeps; {@link Long#MAX_VALUE} for ever. */
    SPIN(
        "spinNs", "onesided.server.spin", Unit.NANOSECONDS, TimeUnit.MICROSECONDS.toNanos(50), 0, Long.MAX_VALUE),
    /** Bytes of large values that a shard pulls at a time per session. The default is one value of maximum length. */
    PULL_LIMIT("pullLimit", "onesided.server.pull.limit", Unit.BYTES, 64L << 20, 1, Long.MAX_VALUE),
    /**
     * How long a put may wait for room in the heap, while records move to make some; 0 refuses it at once. No deadline
     * travels with a request, so the default is well below that of a client's operations, 5 s.
     */
    ROOM_WAIT(
        "roomWaitNs", "onesided.server.room.wait", Unit.NANOSECONDS, TimeUnit.SECONDS.toNanos(1), 0,
        TimeUnit.DAYS.toNanos(1)),
    /** Number of shards. The default is one per four cores, at least one, at most the maximum. */
    SHARDS(
        "shards", "onesided.server.shards", Unit.NUMBER,
        Math.min(SuperblockDescriptor.MAX_SHARDS, Math.max(1, Runtime.getRuntime().availableProcessors() / 4)), 1,
        SuperblockDescriptor.MAX_SHARDS),
    /** Most memory of the table. The minimum depends on the other settings. */
    MEMORY("memory", "onesided.server.memory", Unit.BYTES, 256L << 20, 0, Long.MAX_VALUE),
    /**
     * Memory of the table that is there before the server says that it is ready; it has more if it needs more. At most
     * {@link #MEMORY}; the default is all of a smaller one.
     */
    MEMORY_INITIAL("memoryInitial", "onesided.server.memory.initial", Unit.BYTES, 64L << 20, 0, Long.MAX_VALUE),
    /**
     * A heap that has not grown for so long gives back memory that its records leave free, but for an eighth of it; 0
     * keeps all. Indexes never get smaller.
     */
    MEMORY_RELEASE(
        "memoryReleaseNs", "onesided.server.memory.release", Unit.NANOSECONDS, 0, 0, TimeUnit.DAYS.toNanos(1)),
    /** For how long a key stays whose put says nothing about it, rounded up to milliseconds; 0 for ever. */
    DEFAULT_TTL(
        "defaultTtlNs", "onesided.server.default.ttl", Unit.NANOSECONDS, 0, 0,
        TimeUnit.MILLISECONDS.toNanos(ExpiryLimits.MAX_TTL_MS));

    /** Units of settings, which determine the syntax of the property. */
    private enum Unit
    {
        /** A whole number. */
        NUMBER,
        /** With k, m or g as suffix. */
        BYTES,
        /** With ns, us, ms or s as suffix. */
        NANOSECONDS
    }

    private final String label;
    private final String property;
    private final Unit unit;
    private final long byDefault;
    private final long min;
    private final long max;

    ServerSetting(
        final String label,
        final String property,
        final Unit unit,
        final long byDefault,
        final long min,
        final long max)
    {
        this.label = label;
        this.property = property;
        this.unit = unit;
        this.byDefault = byDefault;
        this.min = min;
        this.max = max;
    }

    /**
     * @return name of the system property.
     */
    public String property()
    {
        return property;
    }

    /**
     * @return the value where the system property says nothing.
     */
    public long byDefault()
    {
        return byDefault;
    }

    /**
     * @return the least value.
     */
    public long min()
    {
        return min;
    }

    /**
     * @return the greatest value.
     */
    public long max()
    {
        return max;
    }

    /**
     * @return what the system property says, else the default.
     * @throws NumberFormatException if it is no size, or no time, where it should be.
     */
    public long read()
    {
        return switch (unit)
        {
            case NUMBER -> Long.getLong(property, byDefault);
            case BYTES -> getSizeAsLong(property, byDefault);
            case NANOSECONDS -> getDurationInNanos(property, byDefault);
        };
    }

    /**
     * @throws IllegalArgumentException if the value is not in the range.
     */
    void check(final long value)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException(label + " must be " + min + " to " + max + ": " + label + "=" + value);
        }
    }
}
