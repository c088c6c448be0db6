package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.codec.BlankDecoder;
import org.onesided.protocol.bootstrap.codec.FormEncoder;
import org.onesided.protocol.bootstrap.codec.FormedDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterFile;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.data.DataOptions;
import org.onesided.server.data.TableOnDisk;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.data.SessionKey;
import org.onesided.server.data.TableIdentity;

/** A server that waits to be formed, and clients that form it rightly and wrongly. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlankServerTest
{
    private static final String PEER = "127.0.0.1:" + FreePorts.take();
    private static final byte[] KEY = new byte[SessionKey.LENGTH];
    private static final List<ClusterMember> MEMBERS = List.of(
        new ClusterMember(1, "127.0.0.1:1", "127.0.0.1:2"),
        new ClusterMember(2, "127.0.0.1:8", PEER),
        new ClusterMember(3, "127.0.0.1:5", "127.0.0.1:6"));

    @TempDir
    private Path parent;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final AtomicInteger ends = new AtomicInteger();
    private ServerOptions options;
    private BlankServer server;

    /** What a client asks a server to become. */
    private record Wanted(long self, long tableId, long life, long leaseMs, int shards, List<ClusterMember> members,
        byte[] key, int replicas)
    {
        Wanted(
            final long self, final long tableId, final long life, final long leaseMs, final int shards,
            final List<ClusterMember> members, final byte[] key)
        {
            this(self, tableId, life, leaseMs, shards, members, key, 0);
        }
    }

    private static final Wanted GOOD = new Wanted(2, 11, 12, 1_000, 4, MEMBERS, KEY);

    @BeforeEach
    void choosePort()
    {
        options = new ServerOptions().listenPort(FreePorts.take()).memory(32 << 20)
            .data(DataOptions.in(data())).peers(PeerOptions.NONE.listen(PEER));
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(opened);
        CloseHelper.close(server);
    }

    private Path data()
    {
        return parent.resolve("data");
    }

    private void start()
    {
        assertTrue(BlankServer.isBlank(options));
        server = BlankServer.start(options, ends::incrementAndGet);
    }

    private TestBootstrap client() throws IOException
    {
        final TestBootstrap client = new TestBootstrap(server.address());
        opened.add(client);
        return client;
    }

    /** Clients of a moment ago may still be there. */
    private TestBootstrap blank() throws IOException
    {
        TestBootstrap client = client();
        client.sendHello(Bootstrap.VERSION, Bootstrap.FORM, "", null);
        int templateId = client.channel().receive(TestBootstrap.deadline());
        while (client.refusal(templateId).code() == RefusalCode.CAPACITY)
        {
            client.close();
            client = client();
            client.sendHello(Bootstrap.VERSION, Bootstrap.FORM, "", null);
            templateId = client.channel().receive(TestBootstrap.deadline());
        }
        assertEquals(BlankDecoder.TEMPLATE_ID, templateId);
        final BlankDecoder blank =
            new BlankDecoder().wrapAndApplyHeader(client.channel().message(), 0, new MessageHeaderDecoder());
        assertEquals(PEER, blank.peerAddress());
        assertEquals(options.peers().zone() == null ? "" : options.peers().zone(), blank.zone());
        return client;
    }

    private static int encode(final TestBootstrap client, final Wanted wanted) throws IOException
    {
        final FormEncoder form =
            new FormEncoder().wrapAndApplyHeader(client.channel().outgoing(), 0, new MessageHeaderEncoder())
            .self(wanted.self()).tableId(wanted.tableId()).serverLife(wanted.life()).hashSeed(13).checkSeed(14)
            .leaseMs(wanted.leaseMs()).shards(wanted.shards()).joins((short)0).prepare((short)0)
            .replication((short)wanted.replicas());
        final FormEncoder.MembersEncoder members = form.membersCount(wanted.members().size());
        wanted.members().forEach((member) -> members.next().number(member.number()).address(member.address())
            .peerAddress(member.peerAddress()));
        return form.putSessionKey(wanted.key(), 0, wanted.key().length).limit();
    }

    private static void form(final TestBootstrap client, final Wanted wanted) throws IOException
    {
        client.channel().send(encode(client, wanted), TestBootstrap.deadline());
    }

    private String refuse(final Wanted wanted, final RefusalCode code) throws IOException
    {
        final TestBootstrap client = blank();
        form(client, wanted);
        final TestBootstrap.Refusal refusal = client.refusal();
        assertEquals(code, refusal.code(), refusal.reason());
        assertClosed(client);
        client.close();
        assertFalse(TableOnDisk.isIn(data()));
        return refusal.reason();
    }

    private static void assertClosed(final TestBootstrap client)
    {
        assertThrows(IOException.class, () -> client.channel().receive(TestBootstrap.deadline()));
    }

    private void assertForms() throws IOException
    {
        final TestBootstrap client = blank();
        form(client, GOOD);
        assertEquals(FormedDecoder.TEMPLATE_ID, client.channel().receive(TestBootstrap.deadline()));
        assertThrows(EOFException.class, () -> client.channel().receive(TestBootstrap.deadline()));
        client.close();
        Await.until("end", () -> server.isFormed() && ends.get() > 0);
        assertNull(server.failure());
        server.close();
        assertEquals(ClusterDescription.founding(2, MEMBERS, 1_000), ClusterFile.read(data()));
        assertEquals(4, TableOnDisk.shards(data()));
        assertEquals(new TableIdentity(11, 12, 13, 14, new SessionKey(KEY)), TableOnDisk.identity(data()));
        assertEquals(4, options.shards());
        assertFalse(BlankServer.isBlank(options));
    }

    @Test
    void shouldBecomeWhatAClientSays() throws IOException
    {
        start();
        assertForms();
    }

    /** Their number may be even then. */
    @Test
    void shouldKeepSomePartitionsOnly() throws IOException
    {
        start();
        final List<ClusterMember> two = MEMBERS.subList(0, 2);
        final TestBootstrap client = blank();
        form(client, new Wanted(2, 11, 12, 1_000, 4, two, KEY, 1));
        assertEquals(FormedDecoder.TEMPLATE_ID, client.channel().receive(TestBootstrap.deadline()));
        client.close();
        Await.until("end", () -> server.isFormed() && ends.get() > 0);
        server.close();
        final ClusterDescription description = ClusterFile.read(data());
        assertEquals(ClusterDescription.founding(2, two, 1, 1_000), description);
        assertEquals(List.of(MEMBERS.get(0)), description.founders(0));
        assertEquals(List.of(MEMBERS.get(1)), description.founders(1));
    }

    @Test
    void shouldRemoveADirectoryThatItMadeForNothing() throws IOException
    {
        start();
        blank();
        assertTrue(Files.exists(data()));
        server.close();
        assertFalse(server.isFormed());
        assertFalse(Files.exists(data()));
    }

    @Test
    void shouldTellOtherClientsThatItIsBlank() throws IOException
    {
        start();
        for (final String device : List.of("shm", "", Bootstrap.BACKUP))
        {
            final TestBootstrap client = client();
            client.sendHello(Bootstrap.VERSION, device, "", null);
            final TestBootstrap.Refusal refusal = client.refusal();
            assertEquals(RefusalCode.BLANK, refusal.code());
            assertTrue(refusal.reason().contains("kvctl cluster create"), refusal.reason());
        }
        assertForms();
    }

    @Test
    void shouldHoldClientsToTheRulesOfAServer() throws IOException
    {
        options.token(Token.of("the-right-token"));
        start();
        final TestBootstrap stranger = client();
        stranger.sendHello(Bootstrap.VERSION, Bootstrap.FORM, "the-wrong-token", null);
        assertEquals(RefusalCode.CREDENTIALS, stranger.refusal().code());
        final TestBootstrap other = client();
        other.sendHello(Bootstrap.VERSION + 1, Bootstrap.FORM, "the-right-token", null);
        assertEquals(RefusalCode.VERSION, other.refusal().code());
        final TestBootstrap friend = client();
        friend.sendHello(Bootstrap.VERSION, Bootstrap.FORM, "the-right-token", null);
        assertEquals(BlankDecoder.TEMPLATE_ID, friend.channel().receive(TestBootstrap.deadline()));
        server.close();
        options.token(null).listenHost("0.0.0.0");
        assertThrows(IllegalArgumentException.class, () -> BlankServer.start(options, () -> { }));
        assertFalse(Files.exists(data()));
    }

    @Test
    void shouldRefuseWhatIsOutOfRange() throws IOException
    {
        start();
        final List<ClusterMember> two = MEMBERS.subList(0, 2);
        final List<ClusterMember> many = new ArrayList<>(MEMBERS);
        while (many.size() <= Bootstrap.MAX_MEMBERS)
        {
            many.add(new ClusterMember(many.size() + 1, "a:" + many.size(), "b:" + many.size()));
        }
        final List<Wanted> wrong = List.of(
            new Wanted(4, 11, 12, 1_000, 4, MEMBERS, KEY),
            new Wanted(2, 0, 12, 1_000, 4, MEMBERS, KEY),
            new Wanted(2, 11, 0, 1_000, 4, MEMBERS, KEY),
            new Wanted(2, 11, 12, 0, 4, MEMBERS, KEY),
            new Wanted(2, 11, 12, 60_001, 4, MEMBERS, KEY),
            new Wanted(2, 11, 12, 1_000, 0, MEMBERS, KEY),
            new Wanted(2, 11, 12, 1_000, 65, MEMBERS, KEY),
            new Wanted(2, 11, 12, 1_000, 4, List.of(), KEY),
            new Wanted(2, 11, 12, 1_000, 4, two, KEY),
            new Wanted(2, 11, 12, 1_000, 4, many, KEY),
            new Wanted(2, 11, 12, 1_000, 4, MEMBERS, KEY, 2),
            new Wanted(2, 11, 12, 1_000, 4, MEMBERS, KEY, 3),
            new Wanted(2, 11, 12, 1_000, 4, MEMBERS, KEY, 5),
            new Wanted(2, 11, 12, 1_000, 4, two, KEY, 3),
            new Wanted(2, 11, 12, 1_000, 4, MEMBERS, new byte[SessionKey.LENGTH - 1]),
            new Wanted(2, 11, 12, 1_000, 4, MEMBERS, new byte[SessionKey.LENGTH + 1]),
            new Wanted(2, 11, 12, 1_000, 4, MEMBERS, new byte[0]),
            with((member) -> new ClusterMember(2, member.address(), member.peerAddress())),
            with((member) -> new ClusterMember(3, "127.0.0.1:8", member.peerAddress())),
            with((member) -> new ClusterMember(3, member.address(), PEER)),
            with((member) -> new ClusterMember(3, "", member.peerAddress())),
            with((member) -> new ClusterMember(3, member.address(), "")),
            with((member) -> new ClusterMember(3, "no-port", member.peerAddress())),
            with((member) -> new ClusterMember(3, "a line\n:7", member.peerAddress())),
            with((member) -> new ClusterMember(3, "a".repeat(400) + ":7", member.peerAddress())));
        for (final Wanted each : wrong)
        {
            final String reason = refuse(each, RefusalCode.PROTOCOL);
            assertFalse(reason.contains("\n"), reason);
        }
        assertForms();
    }

    /** Another last member than in the good list. */
    private static Wanted with(final UnaryOperator<ClusterMember> change)
    {
        return new Wanted(2, 11, 12, 1_000, 4,
            List.of(MEMBERS.get(0), MEMBERS.get(1), change.apply(MEMBERS.get(2))), KEY);
    }

    @Test
    void shouldRefuseWhatItCannotStartWith() throws IOException
    {
        start();
        assertTrue(refuse(new Wanted(1, 11, 12, 1_000, 4, MEMBERS, KEY), RefusalCode.BLANK).contains(PEER));
        assertForms();
    }

    @Test
    void shouldRefuseAnotherNumberOfShardsThanItWasStartedWith() throws IOException
    {
        options.shards(3);
        start();
        assertTrue(refuse(GOOD, RefusalCode.BLANK).contains("shards=3"));
        assertTrue(refuse(GOOD, RefusalCode.BLANK).contains("shards=3"));
    }

    @Test
    void shouldRefuseMoreShardsThanItsMemoryHolds() throws IOException
    {
        options.memory(2 << 20);
        start();
        assertTrue(refuse(new Wanted(2, 11, 12, 1_000, 64, MEMBERS, KEY), RefusalCode.BLANK).contains("memory"));
        assertForms();
    }

    /** Each prefix of the message, then the end of the connection; and each with its length as if it were whole. */
    @Test
    void shouldStayBlankAfterTruncatedMessages() throws IOException
    {
        start();
        final byte[] whole = bytes();
        for (int length = 0; length < whole.length; length += 7)
        {
            final TestBootstrap client = blank();
            final byte[] part = Arrays.copyOf(whole, length);
            write(client, part);
            client.close();
            if (length >= Long.BYTES)
            {
                final TestBootstrap other = blank();
                little(part).putInt(0, length - Long.BYTES);
                write(other, part);
                assertEquals(RefusalCode.PROTOCOL, other.refusal().code(), "length " + length);
                other.close();
            }
        }
        assertFalse(TableOnDisk.isIn(data()));
        assertForms();
    }

    @Test
    void shouldStayBlankAfterOversizedAndOtherMessages() throws IOException
    {
        start();
        for (final int length : new int[]{Bootstrap.MAX_MESSAGE_LENGTH + 1, Integer.MAX_VALUE, -1})
        {
            final TestBootstrap client = blank();
            final byte[] oversized = bytes();
            little(oversized).putInt(0, length);
            write(client, oversized);
            assertEquals(RefusalCode.PROTOCOL, client.refusal().code());
        }
        final TestBootstrap hasty = client();
        form(hasty, GOOD);
        assertEquals(RefusalCode.PROTOCOL, hasty.refusal().code());
        final TestBootstrap confused = blank();
        confused.channel().send(new ReadyEncoder()
            .wrapAndApplyHeader(confused.channel().outgoing(), 0, new MessageHeaderEncoder()).limit(),
            TestBootstrap.deadline());
        assertEquals(RefusalCode.PROTOCOL, confused.refusal().code());
        assertFalse(TableOnDisk.isIn(data()));
        assertForms();
    }

    /** A changed seed or port is as good as the right one; all else must leave the server blank and alive. */
    @Test
    void shouldSurviveFlippedBits() throws IOException
    {
        // What is formed is another server's business.
        options.shards(3);
        start();
        final Random random = new Random(5);
        final byte[] whole = bytes();
        for (int i = 0; i < 300; i++)
        {
            final byte[] flipped = whole.clone();
            // Not the frame: a longer one is waited for.
            final int at = Long.BYTES + random.nextInt(whole.length - Long.BYTES);
            flipped[at] ^= (byte)(1 << random.nextInt(Byte.SIZE));
            final TestBootstrap client = blank();
            write(client, flipped);
            assertEquals(1, Arrays.stream(new RefusalCode[]{RefusalCode.PROTOCOL, RefusalCode.BLANK})
                .filter(refused(client)::equals).count(), "at " + at);
            client.close();
        }
        assertFalse(TableOnDisk.isIn(data()));
        assertNull(server.failure());
    }

    private static RefusalCode refused(final TestBootstrap client) throws IOException
    {
        return client.refusal().code();
    }

    @Test
    void shouldBoundTheClientsThatItWaitsFor() throws IOException
    {
        start();
        final List<TestBootstrap> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++)
        {
            clients.add(blank());
        }
        final TestBootstrap late = client();
        late.sendHello(Bootstrap.VERSION, Bootstrap.FORM, "", null);
        assertEquals(RefusalCode.CAPACITY, late.refusal().code());
        CloseHelper.closeAll(clients);
        assertForms();
    }

    @Test
    void shouldBeFormedOnce() throws IOException
    {
        start();
        final TestBootstrap first = blank();
        final TestBootstrap second = blank();
        form(first, GOOD);
        assertEquals(FormedDecoder.TEMPLATE_ID, first.channel().receive(TestBootstrap.deadline()));
        form(second, new Wanted(2, 21, 22, 1_000, 1, MEMBERS, KEY));
        assertEquals(RefusalCode.BLANK, second.refusal().code());
        first.close();
        Await.until("end", () -> server.isFormed());
        server.close();
        assertEquals(11, TableOnDisk.identity(data()).tableId());
    }

    @Test
    void shouldKeepASecondServerFromItsDirectory()
    {
        start();
        final int port = options.listenPort();
        assertThrows(ServerException.class, () -> BlankServer.start(options.listenPort(port), () -> { }));
        assertTrue(Files.exists(data()));
    }

    @Test
    void shouldRefuseOptionsOfNoMember()
    {
        for (final ServerOptions wrong : List.of(
            member("127.0.0.1"), member("10.1.2.3:7"), member("0.0.0.0:7"), member("nowhere.invalid:7"),
            member(PEER).listenPort(0), member(PEER).evict(Eviction.DENSITY),
            new ServerOptions().listenPort(1).peers(PeerOptions.NONE.listen(PEER))))
        {
            final String message = assertThrows(
                IllegalArgumentException.class, () -> BlankServer.start(wrong, () -> { })).getMessage();
            assertTrue(message.contains("isten=") || message.contains("address="), message);
        }
        assertFalse(Files.exists(data()));
    }

    private ServerOptions member(final String peerListen)
    {
        return new ServerOptions().listenPort(1).data(DataOptions.in(data()))
            .peers(PeerOptions.NONE.listen(peerListen));
    }

    @Test
    void shouldTellInWhichZoneItIs() throws IOException
    {
        options.peers(options.peers().zone("rack-7"));
        start();
        assertForms();
    }

    @Test
    void shouldRefuseAZoneThatCannotBe()
    {
        for (final String zone : List.of("", "a b", "z".repeat(33), "caf\u00e9", "a\nb"))
        {
            options.peers(PeerOptions.NONE.listen(PEER).zone(zone));
            final String message = assertThrows(
                IllegalArgumentException.class, () -> BlankServer.start(options, () -> { })).getMessage();
            assertTrue(message.matches("a zone has 1 to 32 .* zone=.*"), message);
        }
        final String message = assertThrows(IllegalArgumentException.class, () -> StoreServer.start(
            new ServerOptions().peers(PeerOptions.NONE.zone("a")))).getMessage();
        assertTrue(message.startsWith("only a member of a cluster is in a zone"), message);
        assertFalse(Files.exists(data()));
    }

    @Test
    void shouldRefuseAZoneForATableOfAServerThatIsAlone()
    {
        DataDirectory.open(DataOptions.in(data()), 1).close();
        final String message = assertThrows(ServerException.class,
            () -> StoreServer.start(options.peers(PeerOptions.NONE.zone("a")).shards(1))).getMessage();
        assertTrue(message.contains("start it without --zone"), message);
    }

    /** It would be the table of a server that is alone, for good. */
    @Test
    void shouldFoundNoTableForAMemberThatNobodyCanReach() throws IOException
    {
        final Path file = Files.createFile(parent.resolve("any.pem"));
        for (final PeerOptions peers : List.of(
            PeerOptions.NONE.zone("a"), PeerOptions.NONE.tls(new TlsOptions(file, file, file))))
        {
            final String message = assertThrows(ServerException.class,
                () -> StoreServer.start(options.peers(peers).shards(1))).getMessage();
            assertTrue(message.contains("give --peer-listen, too"), message);
            assertFalse(Files.exists(data()));
        }
    }

    /** Ratis would end the process, after the server was formed for good. */
    @Test
    void shouldRefuseAnAddressThatIsTaken() throws IOException
    {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            options.peers(PeerOptions.NONE.listen("127.0.0.1:" + other.getLocalPort()));
            final String message =
                assertThrows(ServerException.class, () -> BlankServer.start(options, () -> { })).getMessage();
            assertTrue(message.startsWith("cannot listen for other members"), message);
        }
        assertFalse(Files.exists(data()));
    }

    @Test
    void shouldRefuseATableOfAServerThatIsAlone()
    {
        DataDirectory.open(DataOptions.in(data()), 1).close();
        assertFalse(BlankServer.isBlank(options));
        final String message =
            assertThrows(ServerException.class, () -> StoreServer.start(options.shards(1))).getMessage();
        assertTrue(message.contains("--peer-listen"), message);
    }

    /** Frame and message. */
    private byte[] bytes() throws IOException
    {
        final TestBootstrap client = blank();
        final int length = encode(client, GOOD);
        final byte[] bytes = new byte[Long.BYTES + length];
        MessageChannel.greeting().get(bytes, 0, Long.BYTES);
        little(bytes).putInt(0, length);
        new UnsafeBuffer(bytes).putBytes(Long.BYTES, client.channel().outgoing(), 0, length);
        client.close();
        return bytes;
    }

    private static ByteBuffer little(final byte[] bytes)
    {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void write(final TestBootstrap client, final byte[] bytes) throws IOException
    {
        final ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining())
        {
            client.channel().socket().write(left);
        }
    }
}
