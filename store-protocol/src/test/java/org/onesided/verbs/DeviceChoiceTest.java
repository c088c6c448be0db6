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
    private final FakeContext silent = new FakeContext("wire");
    private final FakeContext listening = new FakeContext("wire:host:0");
    private final FakeContext elsewhere = new FakeContext("wire:other:7");
    private final DeviceProvider wire = new Listening(provider("wire", 0, true, silent, listening, elsewhere));

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
        assertTrue(choice.hasNext());
        assertEquals("wire", choice.open().name());
        assertFalse(choice.hasNext());
        final VerbsException none = assertThrows(VerbsException.class, choice::open);
        assertTrue(none.getMessage().contains("ibv: the peer has shm; shm: the peer has"), none.getMessage());
    }

    @Test
    void shouldNotReachAnotherHostByWhatStaysOnThisOne()
    {
        assertEquals("ibv:card0", choice("auto", false, ibv(card0)).open().name());
        final VerbsException none = assertThrows(
            VerbsException.class, () -> choice("ibv,shm", false, ibv()).open());
        assertEquals(Errno.ENODEV, none.errno());
        assertTrue(none.getMessage().contains("ibv: no device here; shm: reaches this host only"), none.getMessage());
        assertEquals("shm", choice("shm", false, ibv()).open().name());
    }

    @Test
    void shouldTakeAKindThatMustBeNamedOnlyByItsName()
    {
        memory.port = PortState.DOWN;
        silent.port = PortState.DOWN;
        listening.port = PortState.DOWN;
        elsewhere.port = PortState.DOWN;
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
            unknown.getMessage().contains("device=pigeon, there are: [auto, ibv, shm, wire, exotic]"),
            unknown.getMessage());
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

    @Test
    void shouldTakeTheFirstOfSeveralThatCanBeUsed()
    {
        final DeviceChoice choice = choice("wire:other:7,ibv:card1,shm", true, ibv(card0, card1));
        assertFalse(choice.isAuto());
        assertFalse(choice.isFixed());
        assertEquals("wire:other:7", choice.open().name());
        assertEquals("ibv:card1", choice.open().name());
        assertEquals("shm", choice.open().name());
        card1.port = PortState.DOWN;
        assertEquals("shm", choice("ibv:card1,shm", true, ibv(card0, card1)).open().name());
        assertTrue(choice("shm", true, ibv()).isFixed());
        assertFalse(choice("auto", true, ibv()).isFixed());
    }

    @Test
    void shouldPassOverWhatTheServerDoesNotOffer()
    {
        final DeviceChoice choice = choice("auto", true, ibv(card0));
        choice.keep(List.of("wire:0.0.0.0:7000", "shm"));
        assertEquals("shm", choice.open().name());
        assertTrue(choice.passedOver().contains("ibv: the server offers [wire:0.0.0.0:7000, shm]"),
            choice.passedOver());
        assertEquals("wire", choice.open().name());
        assertFalse(choice.hasNext());
    }

    @Test
    void shouldListenWhereTheServerDoesUnlessToldWhere()
    {
        assertEquals("wire:host:0", choice("wire", true, "host", ibv()).open().name());
        assertEquals("wire:other:7", choice("wire:other:7", true, "host", ibv()).open().name());
        assertEquals("wire:host:0", choice("auto", false, "host", ibv()).open().name());
        assertEquals("shm", choice("auto", true, "host", ibv()).open().name());
        assertEquals("ibv:card0", choice("ibv", true, "host", ibv(card0)).open().name());
        assertEquals("wire", choice("wire:", true, null, ibv()).open().name());
    }

    @Test
    void shouldRefuseListsThatNameNoDevicesOrOneTwice()
    {
        for (final String[] each : new String[][]{
            {"", "a name is empty: device="},
            {"shm,", "a name is empty: device=shm,"},
            {":7000", "a name is empty: device=:7000"},
            {"ibv:card0,ibv:card1", "name each kind once: device=ibv:card0,ibv:card1"},
            {"auto,shm", "auto cannot be part of a list: device=auto,shm"},
            {"shm,pigeon", "device=pigeon, there are: "}})
        {
            final VerbsException refused = assertThrows(VerbsException.class, () -> choice(each[0], true, ibv()));
            assertEquals(Errno.EINVAL, refused.errno());
            assertTrue(refused.getMessage().contains("no such device"), refused.getMessage());
            assertTrue(refused.getMessage().contains(each[1]), refused.getMessage());
        }
        assertEquals(List.of("ibv", "shm", "tcp:[::1]:0"), DeviceNames.parse("ibv, shm,tcp:[::1]:0"));
        assertEquals("ibv,shm", DeviceNames.join(List.of("ibv", "shm")));
    }

    private DeviceChoice choice(final String name, final boolean isPeerLocal, final DeviceProvider ibv)
    {
        return choice(name, isPeerLocal, null, ibv);
    }

    private DeviceChoice choice(
        final String name, final boolean isPeerLocal, final String listenHost, final DeviceProvider ibv)
    {
        return new DeviceChoice(name, ConnectionOptions.defaults(0), isPeerLocal, listenHost,
            List.of(ibv, provider("shm", 1, false, memory), wire, provider("exotic", -1, true, exotic)));
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

    /** Its devices listen by themselves. */
    private static final class Listening implements DeviceProvider
    {
        private final DeviceProvider provider;

        Listening(final DeviceProvider provider)
        {
            this.provider = provider;
        }

        @Override
        public String kind()
        {
            return provider.kind();
        }

        @Override
        public int preference()
        {
            return provider.preference();
        }

        @Override
        public String listenArgument(final String host)
        {
            return host + ":0";
        }

        @Override
        public List<Device> devices()
        {
            return List.of(provider.devices().get(0));
        }

        @Override
        public Device device(final String argument)
        {
            return provider.device(argument);
        }
    }
}
