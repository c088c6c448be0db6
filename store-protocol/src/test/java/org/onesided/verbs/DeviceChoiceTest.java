package org.onesided.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeviceChoiceTest
{
    private final FakeContext card0 = new FakeContext("ibv:card0");
    private final FakeContext card1 = new FakeContext("ibv:card1");
    private final FakeContext memory = new FakeContext("shm");
    private final FakeContext exotic = new FakeContext("exotic");

    @Test
    void shouldTakeTheMostPreferredKind()
    {
        final DeviceChoice choice = choice("auto", true, ibv(card0));
        assertEquals("ibv:card0", choice.open().name());
        assertEquals("", choice.passedOver());
        assertTrue(choice.isAuto());
    }

    @Test
    void shouldTakeTheFirstDeviceThatCanBeUsedAndSayWhyNotTheOther()
    {
        card0.port = PortState.DOWN;
        final OpenDevice opened = choice("auto", true, ibv(card0, card1)).open();
        assertEquals("ibv:card1", opened.name());
        assertTrue(opened.why().contains("ibv:card0: "), opened.why());
        assertTrue(opened.why().contains("DOWN"), opened.why());
        assertTrue(card0.isClosed);
        assertEquals("ibv:card1", choice("ibv", true, ibv(card0, card1)).open().name());
    }

    @Test
    void shouldGoOnToTheNextKindWhereTheFirstIsNotHere()
    {
        final OpenDevice opened = choice("auto", true, ibv()).open();
        assertEquals("shm", opened.name());
        assertTrue(opened.why().contains("ibv: no device here"), opened.why());
    }

    @Test
    void shouldGoOnToTheNextKindWhenThePeerRefusesTheFirst()
    {
        final DeviceChoice choice = choice("auto", true, ibv(card0));
        choice.open().close();
        choice.refused("the peer has shm");
        assertTrue(choice.hasNext());
        final OpenDevice opened = choice.open();
        assertEquals("shm", opened.name());
        assertTrue(opened.why().contains("ibv: the peer has shm"), opened.why());
        choice.refused("the peer has carrier pigeons");
        assertFalse(choice.hasNext());
        final VerbsException none = assertThrows(VerbsException.class, choice::open);
        assertTrue(none.getMessage().contains("ibv: the peer has shm; shm: the peer has"), none.getMessage());
    }

    @Test
    void shouldNotReachAnotherHostByWhatStaysOnThisOne()
    {
        assertEquals("ibv:card0", choice("auto", false, ibv(card0)).open().name());
        final VerbsException none = assertThrows(
            VerbsException.class, () -> choice("auto", false, ibv()).open());
        assertEquals(Errno.ENODEV, none.errno());
        assertTrue(none.getMessage().contains("ibv: no device here; shm: reaches this host only"), none.getMessage());
        assertEquals("shm", choice("shm", false, ibv()).open().name());
    }

    @Test
    void shouldTakeAKindThatMustBeNamedOnlyByItsName()
    {
        memory.port = PortState.DOWN;
        assertThrows(VerbsException.class, () -> choice("auto", true, ibv()).open());
        assertEquals("exotic", choice("exotic", true, ibv()).open().name());
    }

    @Test
    void shouldSayWhyNoDeviceOfAKindCanBeUsed()
    {
        card0.port = PortState.DOWN;
        card1.port = PortState.INIT;
        final VerbsException none = assertThrows(
            VerbsException.class, () -> choice("ibv", true, ibv(card0, card1)).open());
        assertTrue(none.getMessage().contains("DOWN") && none.getMessage().contains("INIT"), none.getMessage());
    }

    @Test
    void shouldNameTheKindsThereAre()
    {
        final VerbsException unknown = assertThrows(VerbsException.class, () -> choice("pigeon", true, ibv()));
        assertEquals("get_device_list", unknown.verb());
        assertEquals(Errno.EINVAL, unknown.errno());
        assertTrue(
            unknown.getMessage().contains("device=pigeon, there are: [auto, ibv, shm, exotic]"), unknown.getMessage());
    }

    @Test
    void shouldOfferTheKindsOfThisBuildInTheirOrder()
    {
        final List<DeviceProvider> providers = Devices.providers();
        assertTrue(providers.stream().anyMatch((provider) -> "shm".equals(provider.kind())));
        assertEquals(
            providers.stream().sorted(Comparator.comparingInt((provider) -> -provider.preference())).toList(),
            providers);
        assertFalse(Devices.reachOtherHosts("shm"));
        assertTrue(Devices.reachOtherHosts("pigeon"));
    }

    private DeviceChoice choice(final String name, final boolean isPeerLocal, final DeviceProvider ibv)
    {
        return new DeviceChoice(name, ConnectionOptions.defaults(0), isPeerLocal,
            List.of(ibv, provider("shm", 1, false, memory), provider("exotic", -1, true, exotic)));
    }

    private static DeviceProvider ibv(final FakeContext... cards)
    {
        return provider("ibv", 2, true, cards);
    }

    private static DeviceProvider provider(
        final String kind, final int preference, final boolean reachesOtherHosts, final FakeContext... contexts)
    {
        return new DeviceProvider()
        {
            @Override
            public String kind()
            {
                return kind;
            }

            @Override
            public int preference()
            {
                return preference;
            }

            @Override
            public boolean reachesOtherHosts()
            {
                return reachesOtherHosts;
            }

            @Override
            public List<Device> devices()
            {
                return Stream.of(contexts).map(FakeContext::device).toList();
            }

            @Override
            public Device device(final String argument)
            {
                return devices().stream()
                    .filter((device) -> argument.isEmpty() || device.name().equals(kind + ":" + argument))
                    .findFirst()
                    .orElseThrow(() -> new VerbsException("get_device_list", Errno.ENODEV, argument));
            }
        };
    }
}
