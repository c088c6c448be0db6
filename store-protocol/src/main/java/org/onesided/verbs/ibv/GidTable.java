package org.onesided.verbs.ibv;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Gid;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.GidType;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.PortAttributes;

/**
 * Lists the used entries of a port's GID table: with ibv_query_gid_table(3) where libibverbs supports it, otherwise
 * entry by entry, with the kernel's files.
 */
final class GidTable
{
    private static final Gid EMPTY = new Gid(0, 0);
    private static final String ROCE_V2 = "RoCE v2";

    private final IbvLibrary library;
    private final long context;
    private final String deviceName;
    private final Sysfs kernel;

    /**
     * @param library    that has the context.
     * @param context    address of the {@code ibv_context}.
     * @param deviceName as libibverbs names it.
     * @param kernel     describes network interfaces.
     */
    GidTable(final IbvLibrary library, final long context, final String deviceName, final Sysfs kernel)
    {
        this.library = library;
        this.context = context;
        this.deviceName = deviceName;
        this.kernel = kernel;
    }

    /**
     * @param port       number, from 1.
     * @param attributes of the port.
     * @param allPlaces  of the GID tables of all ports.
     * @return the used places by index.
     */
    List<GidEntry> list(final int port, final PortAttributes attributes, final int allPlaces)
    {
        try
        {
            return byLibrary(port, allPlaces);
        }
        catch (final UnsatisfiedLinkError ex)
        {
            return byPlace(port, attributes);
        }
    }

    private List<GidEntry> byLibrary(final int port, final int allPlaces)
    {
        final List<GidEntry> entries = new ArrayList<>();
        final Map<Integer, String> interfaces = new HashMap<>();
        try (NativeArray memory = new NativeArray((long)allPlaces * GidEntryDescriptor.LENGTH))
        {
            final long base = memory.range().address();
            final long count = library.calls()._ibv_query_gid_table(
                context, base, allPlaces, 0, GidEntryDescriptor.LENGTH);
            if (count < 0 || count > allPlaces)
            {
                throw IbvErrors.failure("query_gid_table", (int)-count, "device=" + deviceName + " port=" + port);
            }
            for (int i = 0; i < count; i++)
            {
                final long entry = base + (long)i * GidEntryDescriptor.LENGTH;
                final Gid gid = AttributeReader.gid(entry + GidEntryDescriptor.GID_OFFSET);
                if (UnsafeApi.getInt(entry + GidEntryDescriptor.PORT_NUM_OFFSET) == port && !EMPTY.equals(gid))
                {
                    final int index = UnsafeApi.getInt(entry + GidEntryDescriptor.GID_INDEX_OFFSET);
                    final int number = UnsafeApi.getInt(entry + GidEntryDescriptor.NDEV_IFINDEX_OFFSET);
                    final String named = number == 0 ? "" : interfaces.computeIfAbsent(number, kernel::interfaceName);
                    final String told = kernel.gidInterface(deviceName, port, index);
                    // Where both differ, the interface is of another network namespace, with numbers of its own.
                    final boolean isElsewhere = !told.isEmpty() && !told.equals(named);
                    entries.add(new GidEntry(
                        index,
                        gid,
                        type(UnsafeApi.getInt(entry + GidEntryDescriptor.GID_TYPE_OFFSET)),
                        isElsewhere ? told : named,
                        isElsewhere || kernel.isInterfaceUp(named)));
                }
            }
        }
        entries.sort((left, right) -> Integer.compare(left.index(), right.index()));
        return entries;
    }

    private List<GidEntry> byPlace(final int port, final PortAttributes attributes)
    {
        final List<GidEntry> entries = new ArrayList<>();
        try (NativeArray memory = new NativeArray(Gid.LENGTH))
        {
            final long address = memory.range().address();
            for (int index = 0; index < attributes.gidTableLength(); index++)
            {
                // The library reads a file for each place; one that cannot be read is not in use.
                if (library.calls().ibv_query_gid(context, port, index, address) == 0)
                {
                    final Gid gid = AttributeReader.gid(address);
                    if (!EMPTY.equals(gid))
                    {
                        final String interfaceName = kernel.gidInterface(deviceName, port, index);
                        entries.add(new GidEntry(
                            index,
                            gid,
                            type(kernel.gidType(deviceName, port, index), attributes.linkLayer()),
                            interfaceName,
                            kernel.isInterfaceUp(interfaceName)));
                    }
                }
            }
        }
        return entries;
    }

    private static GidType type(final int code)
    {
        return switch (code)
        {
            case GidEntryDescriptor.GID_TYPE_ROCE_V1 -> GidType.ROCE_V1;
            case GidEntryDescriptor.GID_TYPE_ROCE_V2 -> GidType.ROCE_V2;
            default -> GidType.IB;
        };
    }

    private static GidType type(final String text, final String linkLayer)
    {
        if (text.equals(ROCE_V2))
        {
            return GidType.ROCE_V2;
        }
        return PortAttributes.INFINIBAND.equals(linkLayer) ? GidType.IB : GidType.ROCE_V1;
    }
}
