package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.x500.X500Principal;

/**
 * An authority that lives as long as a test, and signs certificates at once: in DER by hand, since Java has nothing to
 * make any.
 */
public final class TestAuthority
{
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final AtomicInteger SERIAL = new AtomicInteger();
    private static final byte[] ECDSA_WITH_SHA256 = {0x2A, (byte)0x86, 0x48, (byte)0xCE, 0x3D, 4, 3, 2};
    private static final byte[] BASIC_CONSTRAINTS = {0x55, 0x1D, 0x13};
    private static final byte[] ALTERNATIVE_NAME = {0x55, 0x1D, 0x11};
    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 2;
    private static final int BOOLEAN = 1;
    private static final int BIT_STRING = 3;
    private static final int OCTET_STRING = 4;
    private static final int OBJECT_ID = 6;
    private static final int UTC_TIME = 0x17;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    private final X500Principal name;
    private final KeyPair keys;
    private final String certificate;

    /**
     * A certificate with its key.
     *
     * @param certificate in PEM form.
     * @param key         in PEM form.
     */
    public record Signed(String certificate, String key)
    {
        /**
         * Writes both, as {@code name.crt} and {@code name.key}.
         *
         * @param folder for them.
         * @param name   of the files.
         * @return options that name them.
         * @throws IOException if they cannot be written.
         */
        public TlsOptions write(final Path folder, final String name) throws IOException
        {
            return new TlsOptions(
                Files.writeString(folder.resolve(name + ".crt"), certificate),
                Files.writeString(folder.resolve(name + ".key"), key),
                null);
        }
    }

    /**
     * @param name of the authority.
     * @throws GeneralSecurityException if this Java knows no elliptic curves.
     * @throws IOException              never.
     */
    public TestAuthority(final String name) throws GeneralSecurityException, IOException
    {
        this.name = new X500Principal("CN=" + name);
        keys = newKeys();
        certificate = sign(this.name, keys, extension(
            BASIC_CONSTRAINTS, der(SEQUENCE, der(BOOLEAN, new byte[]{-1}))), Duration.ofDays(1));
    }

    /**
     * Writes this authority's own certificate.
     *
     * @param file to write.
     * @return the file.
     * @throws IOException if it cannot be written.
     */
    public Path write(final Path file) throws IOException
    {
        return Files.writeString(file, certificate);
    }

    /**
     * @return a certificate for a server at loopback's usual names.
     * @throws GeneralSecurityException if this Java knows no elliptic curves.
     * @throws IOException              never.
     */
    public Signed forLoopback() throws GeneralSecurityException, IOException
    {
        return sign("server", Duration.ofDays(1), "localhost", "127.0.0.1", "127.0.0.2", "::1");
    }

    /**
     * @param subject of the certificate.
     * @return a certificate for a client, which needs no host.
     * @throws GeneralSecurityException if this Java knows no elliptic curves.
     * @throws IOException              never.
     */
    public Signed forClient(final String subject) throws GeneralSecurityException, IOException
    {
        return sign(subject, Duration.ofDays(1));
    }

    /**
     * @param subject  of the certificate.
     * @param validity from an hour ago until so long from now; of one that is over, how long it has been.
     * @param hosts    names and addresses that it holds for.
     * @return the certificate.
     * @throws GeneralSecurityException if this Java knows no elliptic curves.
     * @throws IOException              if an address is none.
     */
    public Signed sign(final String subject, final Duration validity, final String... hosts)
        throws GeneralSecurityException, IOException
    {
        final KeyPair of = newKeys();
        final ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (final String host : hosts)
        {
            final boolean isAddress = host.matches("[0-9.]+|.*:.*");
            names.write(isAddress ?
                der(IP_ADDRESS, InetAddress.getByName(host).getAddress()) : der(DNS_NAME, host.getBytes(US_ASCII)));
        }
        final byte[] extension = hosts.length == 0 ?
            new byte[0] : extension(ALTERNATIVE_NAME, der(SEQUENCE, names.toByteArray()));
        return new Signed(
            sign(new X500Principal("CN=\"" + subject + '"'), of, extension, validity),
            pem("PRIVATE KEY", of.getPrivate().getEncoded()));
    }

    private String sign(
        final X500Principal subject, final KeyPair of, final byte[] extension, final Duration validity)
        throws GeneralSecurityException, IOException
    {
        final Instant now = Instant.now();
        final Instant from = validity.isNegative() ? now.plus(validity.multipliedBy(2)) : now.minusSeconds(3600);
        final byte[] algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
        final byte[] body = der(SEQUENCE,
            der(0xA0, der(INTEGER, new byte[]{2})),
            der(INTEGER, new byte[]{1, (byte)(SERIAL.incrementAndGet() & 0x7F), (byte)SERIAL.get()}),
            algorithm,
            name.getEncoded(),
            der(SEQUENCE, time(from), time(now.plus(validity))),
            subject.getEncoded(),
            of.getPublic().getEncoded(),
            extension.length == 0 ? extension : der(0xA3, der(SEQUENCE, extension)));
        final Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(body);
        return pem("CERTIFICATE", der(SEQUENCE, body, algorithm, der(BIT_STRING, new byte[1], signature.sign())));
    }

    private static KeyPair newKeys() throws GeneralSecurityException
    {
        final KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static byte[] extension(final byte[] id, final byte[] value) throws IOException
    {
        return der(SEQUENCE, der(OBJECT_ID, id), der(BOOLEAN, new byte[]{-1}), der(OCTET_STRING, value));
    }

    private static byte[] time(final Instant at) throws IOException
    {
        return der(UTC_TIME, TIME.format(at).getBytes(US_ASCII));
    }

    private static byte[] der(final int tag, final byte[]... contents) throws IOException
    {
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (final byte[] each : contents)
        {
            content.write(each);
        }
        final int length = content.size();
        final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        encoded.write(tag);
        if (length > 0xFF)
        {
            encoded.write(0x82);
            encoded.write(length >> 8);
        }
        else if (length > 0x7F)
        {
            encoded.write(0x81);
        }
        encoded.write(length);
        encoded.write(content.toByteArray());
        return encoded.toByteArray();
    }

    private static String pem(final String type, final byte[] content)
    {
        return "-----BEGIN " + type + "-----\n" +
            Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(content) +
            "\n-----END " + type + "-----\n";
    }
}
