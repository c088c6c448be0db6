package org.onesided.tools.kvctl.rdma.machine;

import java.util.ArrayList;
import java.util.List;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceIdentity;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.GidType;
import org.onesided.verbs.GrowableMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;

/**
 * A device that answers queries as a test wants it, and has no memory for anything else.
 */
final class FakeDevice implements Device, Context
{
    static final Gid LINK_LOCAL = new Gid(0xFE80L << 48, 0xA449_48FF_FE04_69F6L);
    static final Gid MAPPED = new Gid(0, 0xFFFF_0A09_0001L);

    final List<PortAttributes> ports = new ArrayList<>();
    final List<GidEntry> gids = new ArrayList<>();
    VerbsException refusal;
    VerbsException loss;
    int openCount;
    private final String name;

    /** With an active Ethernet port and its two GIDs, the second mapped from IPv4. */
    FakeDevice(final String name)
    {
        this.name = name;
        ports.add(port(PortState.ACTIVE, PortAttributes.ETHERNET));
        gids.add(new GidEntry(0, LINK_LOCAL, GidType.ROCE_V2, "dummy0", true));
        gids.add(new GidEntry(1, MAPPED, GidType.ROCE_V2, "dummy0", true));
    }

    static PortAttributes port(final PortState state, final String linkLayer)
    {
        return new PortAttributes(state, linkLayer, 4096, 1024, 1 << 23, 7, 1024, 4, 25_000);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public Context open()
    {
        if (refusal != null)
        {
            throw refusal;
        }
        openCount++;
        return this;
    }

    @Override
    public Device device()
    {
        return this;
    }

    @Override
    public DeviceAttributes queryDevice()
    {
        return new DeviceAttributes(
            new DeviceIdentity("16.35.2000", 0xA449_48FF_FE04_69F6L, 0x2C9, 4121, 0), 1_048_560, 32_768, 30, 65_536,
            4_194_303, 1 << 24, -1, 1 << 20, 16, 16, 8_388_608, 32_767, 31, 8, true, ports.size());
    }

    @Override
    public PortAttributes queryPort(final int port)
    {
        checkPort(port);
        return ports.get(port - 1);
    }

    @Override
    public Gid queryGid(final int port, final int index)
    {
        checkPort(port);
        return gids.get(index).gid();
    }

    @Override
    public List<GidEntry> queryGidTable(final int port)
    {
        if (loss != null)
        {
            throw loss;
        }
        checkPort(port);
        return List.copyOf(gids);
    }

    @Override
    public DeviceMemory allocate(final long length, final HugePages hugePages)
    {
        throw noMemory();
    }

    @Override
    public GrowableMemory allocateGrowable(final long length, final HugePages hugePages)
    {
        throw noMemory();
    }

    @Override
    public DeviceMemory reserve(final long length, final HugePages hugePages)
    {
        throw noMemory();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        throw noMemory();
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        throw noMemory();
    }

    @Override
    public CompletionQueue createCompletionQueue(
        final int capacity, final CompletionChannel channel, final int vector)
    {
        throw noMemory();
    }

    @Override
    public AsyncEvent awaitAsyncEvent(final long timeoutNs)
    {
        return null;
    }

    @Override
    public void close()
    {
        openCount--;
    }

    private static VerbsException noMemory()
    {
        return new VerbsException("alloc_pd", Errno.ENOMEM, "a device for tests");
    }

    private void checkPort(final int port)
    {
        if (port < 1 || port > ports.size())
        {
            throw new VerbsException("query_port", Errno.EINVAL, "no such port: port=" + port);
        }
    }
}
