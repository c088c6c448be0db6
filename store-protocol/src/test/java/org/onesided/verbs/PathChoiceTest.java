package org.onesided.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PathChoiceTest
{
    private static final Gid MAPPED = new Gid(0, 0x0000_FFFF_0A09_0001L);
    private static final Gid GLOBAL = new Gid(0x2001_0DB8_0000_0000L, 1);
    private static final Gid LINK_LOCAL = new Gid(0xFE80_0000_0000_0000L, 0x1234);

    private static final PortAttributes ETHERNET = port(PortState.ACTIVE, PortAttributes.ETHERNET);
    private static final PortAttributes INFINIBAND = port(PortState.ACTIVE, PortAttributes.INFINIBAND);
    private static final PortAttributes DOWN = port(PortState.DOWN, PortAttributes.ETHERNET);

    private static final ConnectionOptions OPEN = ConnectionOptions.defaults(Access.REMOTE_READ);

    @Test
    void shouldRankTypeBeforeAddressAndAddressBeforePlace()
    {
        final List<GidEntry> byRank = List.of(
            entry(7, MAPPED, GidType.ROCE_V2),
            entry(6, GLOBAL, GidType.ROCE_V2),
            entry(5, LINK_LOCAL, GidType.ROCE_V2),
            entry(4, MAPPED, GidType.ROCE_V1),
            entry(3, GLOBAL, GidType.ROCE_V1),
            entry(2, LINK_LOCAL, GidType.ROCE_V1));
        for (int better = 0; better < byRank.size(); better++)
        {
            for (int worse = better + 1; worse < byRank.size(); worse++)
            {
                final GidEntry expected = byRank.get(better);
                assertEquals(expected, PathChoice.best(List.of(expected, byRank.get(worse))));
                assertEquals(expected, PathChoice.best(List.of(byRank.get(worse), expected)));
            }
        }
    }

    @Test
    void shouldTakeTheFirstOfEquals()
    {
        final GidEntry first = entry(3, MAPPED, GidType.ROCE_V2);
        final GidEntry second = entry(5, new Gid(0, 0x0000_FFFF_0A09_0002L), GidType.ROCE_V2);
        assertEquals(first, PathChoice.best(List.of(first, second)));
    }

    @Test
    void shouldTakeOnlyLinkLocalForLinkLocal()
    {
        // Its first bits are those of fe80::/10 but for the last one.
        final GidEntry other = entry(1, new Gid(0xFEC0_0000_0000_0000L, 1), GidType.ROCE_V2);
        assertEquals(other, PathChoice.best(List.of(entry(0, LINK_LOCAL, GidType.ROCE_V2), other)));
        final GidEntry edge = entry(0, new Gid(0xFEBF_0000_0000_0000L, 1), GidType.ROCE_V2);
        assertEquals(other, PathChoice.best(List.of(edge, other)));
    }

    @Test
    void shouldPassOverAnInterfaceThatIsDown()
    {
        final GidEntry down = new GidEntry(1, MAPPED, GidType.ROCE_V2, "eth0", false);
        final GidEntry up = entry(2, LINK_LOCAL, GidType.ROCE_V1);
        assertEquals(up, PathChoice.best(List.of(down, up)));
        assertNull(PathChoice.best(List.of(down)));
    }

    @Test
    void shouldPassOverAnIndexThatNoConnectionCanName()
    {
        final GidEntry last = entry(255, LINK_LOCAL, GidType.ROCE_V1);
        assertEquals(last, PathChoice.best(List.of(last, entry(256, MAPPED, GidType.ROCE_V2))));
        assertNull(PathChoice.best(List.of()));
    }

    @Test
    void shouldFindTheFirstActivePortAndItsBestGid()
    {
        final Context context = context(
            Map.of(1, DOWN, 2, ETHERNET, 3, ETHERNET),
            List.of(entry(0, LINK_LOCAL, GidType.ROCE_V2), entry(1, MAPPED, GidType.ROCE_V2)));
        final ConnectionOptions resolved = PathChoice.resolve(context, OPEN);
        assertEquals(2, resolved.port());
        assertEquals(1, resolved.gidIndex());
        assertEquals(OPEN.port(2).gidIndex(1), resolved);
    }

    @Test
    void shouldTakePortAndGidThatWereGiven()
    {
        final Context context = context(
            Map.of(1, ETHERNET, 2, ETHERNET),
            List.of(entry(1, MAPPED, GidType.ROCE_V2), entry(4, LINK_LOCAL, GidType.ROCE_V1)));
        final ConnectionOptions given = OPEN.port(2).gidIndex(4);
        assertEquals(given, PathChoice.resolve(context, given));
    }

    @Test
    void shouldRefuseAGidIndexThatIsNotThereAndTellWhichAre()
    {
        final Context context = context(
            Map.of(1, ETHERNET), List.of(entry(0, LINK_LOCAL, GidType.ROCE_V2), entry(5, MAPPED, GidType.ROCE_V2)));
        final VerbsException refused = refused(Errno.EINVAL, context, OPEN.gidIndex(3));
        assertTrue(refused.getMessage().contains("gid_index=3 there_are=[0, 5]"), refused.getMessage());
    }

    @Test
    void shouldRefuseAPortWithoutAnyGid()
    {
        refused(Errno.EINVAL, context(Map.of(1, ETHERNET), List.of()), OPEN);
    }

    @Test
    void shouldNeedAGidOnEthernet()
    {
        final Context context = context(Map.of(1, ETHERNET), List.of(entry(0, MAPPED, GidType.ROCE_V2)));
        final VerbsException refused = refused(Errno.EINVAL, context, OPEN.gidIndex(ConnectionOptions.NO_GID));
        assertTrue(refused.getMessage().contains("link_layer=Ethernet"), refused.getMessage());
    }

    @Test
    void shouldDoWithoutAGidOnInfiniBand()
    {
        final Context context = context(Map.of(1, INFINIBAND), List.of(entry(0, LINK_LOCAL, GidType.IB)));
        assertEquals(ConnectionOptions.NO_GID, PathChoice.resolve(context, OPEN).gidIndex());
        assertEquals(
            ConnectionOptions.NO_GID,
            PathChoice.resolve(context, OPEN.gidIndex(ConnectionOptions.NO_GID)).gidIndex());
        assertEquals(0, PathChoice.resolve(context, OPEN.gidIndex(0)).gidIndex());
    }

    @Test
    void shouldTakeTheFirstGidWhereInfiniBandDemandsAGlobalRoute()
    {
        final PortAttributes demanding = new PortAttributes(
            PortState.ACTIVE, PortAttributes.INFINIBAND, 4096, 4096, 1 << 30, 7, 8, 4, 25_000, true);
        final Context context = context(Map.of(1, demanding), List.of(
            new GidEntry(0, LINK_LOCAL, GidType.IB, "", false), entry(1, GLOBAL, GidType.IB)));
        assertEquals(0, PathChoice.resolve(context, OPEN).gidIndex());
        assertEquals(1, PathChoice.resolve(context, OPEN.gidIndex(1)).gidIndex());
        final VerbsException refused = refused(Errno.EINVAL, context, OPEN.gidIndex(ConnectionOptions.NO_GID));
        assertTrue(refused.getMessage().contains("demands a global route header"), refused.getMessage());
        refused(Errno.EINVAL, context(Map.of(1, demanding), List.of()), OPEN);
    }

    @Test
    void shouldTellThatNoPortIsActive()
    {
        final Context context = context(
            Map.of(1, DOWN, 2, port(PortState.INIT, PortAttributes.INFINIBAND)), List.of());
        final VerbsException refused = refused(Errno.ENODEV, context, OPEN);
        assertTrue(refused.getMessage().endsWith("device=ibv:test0 port1=DOWN port2=INIT"), refused.getMessage());
    }

    @Test
    void shouldRefuseAGivenPortThatIsDownAlthoughAnotherIsActive()
    {
        final Context context =
            context(Map.of(1, ETHERNET, 2, DOWN), List.of(entry(0, MAPPED, GidType.ROCE_V2)));
        final VerbsException refused = refused(Errno.ENODEV, context, OPEN.port(2));
        assertTrue(refused.getMessage().endsWith("port=2 state=DOWN"), refused.getMessage());
    }

    private static VerbsException refused(final int errno, final Context context, final ConnectionOptions options)
    {
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> PathChoice.resolve(context, options));
        assertEquals(errno, refused.errno());
        return refused;
    }

    private static GidEntry entry(final int index, final Gid gid, final GidType type)
    {
        return new GidEntry(index, gid, type, "eth0", true);
    }

    private static PortAttributes port(final PortState state, final String linkLayer)
    {
        return new PortAttributes(state, linkLayer, 4096, 1024, 1 << 23, 0, 16, 1, 25_000);
    }

    private static Context context(final Map<Integer, PortAttributes> ports, final List<GidEntry> gids)
    {
        final Device device = new Device()
        {
            @Override
            public String name()
            {
                return "ibv:test0";
            }

            @Override
            public Context open()
            {
                throw new AssertionError("not to be opened");
            }
        };
        final DeviceAttributes limits = new DeviceAttributes(
            DeviceIdentity.SOFTWARE, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, true, ports.size());
        return (Context)Proxy.newProxyInstance(
            PathChoiceTest.class.getClassLoader(),
            new Class<?>[]{ Context.class },
            (proxy, method, arguments) -> switch (method.getName())
            {
                case "device" -> device;
                case "queryDevice" -> limits;
                case "queryPort" -> ports.get(arguments[0]);
                case "queryGidTable" -> gids;
                default -> throw new AssertionError("not expected: method=" + method);
            });
    }
}
