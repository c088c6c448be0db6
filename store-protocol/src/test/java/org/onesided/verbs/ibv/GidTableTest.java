package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.verbs.Gid;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.GidType;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;

class GidTableTest
{
    private static final Gid GID = new Gid(0xFE80_0000_0000_0000L, 7);

    private final FakeLibrary fake = new FakeLibrary();

    @TempDir
    Path root;

    private GidTable table;

    @BeforeEach
    void begin() throws Exception
    {
        table = new GidTable(fake.library(), fake.context(), FakeLibrary.NAME, new Sysfs(root));
        write("net/eth1/ifindex", "12");
        write("net/eth1/flags", "0x1002");
    }

    @AfterEach
    void end()
    {
        fake.close();
    }

    @Test
    void shouldNameTheInterfaceAndTellThatItIsDown()
    {
        newer(12);
        assertEquals(List.of(new GidEntry(3, GID, GidType.ROCE_V2, "eth1", false)), list(PortAttributes.ETHERNET));
    }

    @Test
    void shouldBelieveBothSourcesWhereTheyAgree() throws Exception
    {
        newer(12);
        write("infiniband/test0/ports/1/gid_attrs/ndevs/3", "eth1");
        assertEquals(List.of(new GidEntry(3, GID, GidType.ROCE_V2, "eth1", false)), list(PortAttributes.ETHERNET));
    }

    @Test
    void shouldNotTakeAnInterfaceOfAnotherNamespaceForOneOfThis() throws Exception
    {
        // There, the number 12 is another interface's.
        newer(12);
        write("infiniband/test0/ports/1/gid_attrs/ndevs/3", "eth0");
        assertEquals(List.of(new GidEntry(3, GID, GidType.ROCE_V2, "eth0", true)), list(PortAttributes.ETHERNET));
    }

    @Test
    void shouldTakeAnUnknownInterfaceToBeUp()
    {
        newer(99);
        assertEquals(List.of(new GidEntry(3, GID, GidType.ROCE_V2, "", true)), list(PortAttributes.ETHERNET));
    }

    @Test
    void shouldTakeTypesAndInterfacesFromTheKernelWhereTheLibraryIsOld() throws Exception
    {
        older();
        write("infiniband/test0/ports/1/gid_attrs/ndevs/3", "eth1");
        write("infiniband/test0/ports/1/gid_attrs/types/3", "RoCE v2");
        assertEquals(List.of(new GidEntry(3, GID, GidType.ROCE_V2, "eth1", false)), list(PortAttributes.ETHERNET));
        write("infiniband/test0/ports/1/gid_attrs/types/3", "IB/RoCE v1");
        assertEquals(List.of(new GidEntry(3, GID, GidType.ROCE_V1, "eth1", false)), list(PortAttributes.ETHERNET));
        assertEquals(List.of(new GidEntry(3, GID, GidType.IB, "eth1", false)), list(PortAttributes.INFINIBAND));
    }

    private List<GidEntry> list(final String linkLayer)
    {
        return table.list(1, new PortAttributes(PortState.ACTIVE, linkLayer, 4096, 1024, 1 << 30, 0, 5, 1, 2500), 5);
    }

    private void newer(final int interfaceNumber)
    {
        fake.on("_ibv_query_gid_table", (arguments) ->
        {
            final long entry = (Long)arguments[1];
            write(entry + GidEntryDescriptor.GID_OFFSET, GID);
            UnsafeApi.putInt(entry + GidEntryDescriptor.GID_INDEX_OFFSET, 3);
            UnsafeApi.putInt(entry + GidEntryDescriptor.PORT_NUM_OFFSET, 1);
            UnsafeApi.putInt(entry + GidEntryDescriptor.GID_TYPE_OFFSET, GidEntryDescriptor.GID_TYPE_ROCE_V2);
            UnsafeApi.putInt(entry + GidEntryDescriptor.NDEV_IFINDEX_OFFSET, interfaceNumber);
            return 1L;
        });
    }

    private void older()
    {
        fake.on("ibv_query_gid", (arguments) ->
        {
            write((Long)arguments[3], (Integer)arguments[2] == 3 ? GID : new Gid(0, 0));
            return 0;
        });
    }

    private static void write(final long address, final Gid gid)
    {
        UnsafeApi.putLong(address, Long.reverseBytes(gid.high()));
        UnsafeApi.putLong(address + Long.BYTES, Long.reverseBytes(gid.low()));
    }

    private void write(final String file, final String text) throws Exception
    {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text + "\n");
    }
}
