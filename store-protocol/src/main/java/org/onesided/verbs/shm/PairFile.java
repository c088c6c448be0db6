package org.onesided.verbs.shm;

import static org.onesided.verbs.shm.PairDescriptor.*;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.VerbsException;

/**
 * The file of two connected queue pairs, seen from one of them.
 */
final class PairFile implements AutoCloseable
{
    /** Length of a secret in bytes. */
    static final int SECRET_LENGTH = 16;

    /** System property: length of a ring in bytes, a power of two; a longer message travels in pieces. */
    static final String RING_LENGTH_PROPERTY = "onesided.shm.ring.length";
    /** Default length of a ring; a queue pair's file then has 577 KiB. */
    static final int DEFAULT_RING_LENGTH = 256 * 1024;
    private static final int MIN_RING_LENGTH = 4096;
    private static final int MAX_RING_LENGTH = 1 << 28;
    private static final int RING_LENGTH = configuredRingLength();

    private final SharedMapping mapping;
    private final int side;
    private final int ringLength;
    private final int window;
    private final PairSide own;
    private final PairSide peer;
    private final RingWriter writer;
    private final RingReader reader;
    private final long ownLengths;
    private final long peerLengths;

    private PairFile(
        final SharedMapping mapping, final int side, final int peerSide, final int ringLength, final int window)
    {
        this.mapping = mapping;
        this.side = side;
        this.ringLength = ringLength;
        this.window = window;
        own = new PairSide(mapping.address() + sideOffset(side));
        peer = new PairSide(mapping.address() + sideOffset(peerSide));
        writer = new RingWriter(mapping.address() + ringOffset(ringLength, window, side), ringLength,
            own.producedAddress(), peer.consumedAddress());
        reader = new RingReader(mapping.address() + ringOffset(ringLength, window, peerSide), ringLength,
            peer.producedAddress(), own.consumedAddress());
        peerLengths = mapping.address() + lengthsOffset(window, peerSide);
        ownLengths = mapping.address() + lengthsOffset(window, side);
    }

    static String name(final int number, final int generation)
    {
        return "qp-" + number + "-" + Integer.toUnsignedString(generation);
    }

    /**
     * Makes the file, as side 0.
     */
    static PairFile create(final ContextDirectory directory, final String name, final byte[] secret)
    {
        final int window = RING_LENGTH / FrameDescriptor.HEADER_LENGTH;
        final SharedMapping mapping = SharedFile.create(directory, name, length(RING_LENGTH, window));
        final long address = mapping.address();
        final byte[] proof = proof(secret);
        for (int i = 0; i < PROOF_LENGTH; i++)
        {
            UnsafeApi.putByte(address + PROOF_OFFSET + i, proof[i]);
        }
        UnsafeApi.putInt(address + RING_LENGTH_OFFSET, RING_LENGTH);
        UnsafeApi.putInt(address + WINDOW_OFFSET, window);
        UnsafeApi.putIntVolatile(null, address + VERSION_OFFSET, VERSION);
        return new PairFile(mapping, 0, 1, RING_LENGTH, window);
    }

    /**
     * @return the same file, for a queue pair that is connected to itself.
     */
    PairFile loopback()
    {
        return new PairFile(mapping, 0, 0, ringLength, window);
    }

    /**
     * Claims a peer's file, as side 1.
     *
     * @throws VerbsException with {@code ECONNREFUSED} if it is claimed already, or the secret is wrong.
     */
    static PairFile claim(final int fd, final String name, final Gid gid, final int number, final byte[] secret)
    {
        final SharedMapping mapping = SharedMapping.of(fd, name, LENGTHS_OFFSET, true);
        try
        {
            final long address = mapping.address();
            final int version = UnsafeApi.getIntVolatile(null, address + VERSION_OFFSET);
            final int ringLength = UnsafeApi.getInt(address + RING_LENGTH_OFFSET);
            final int window = UnsafeApi.getInt(address + WINDOW_OFFSET);
            if (version != VERSION || Integer.bitCount(ringLength) != 1 || ringLength < MIN_RING_LENGTH ||
                ringLength > MAX_RING_LENGTH || window != ringLength / FrameDescriptor.HEADER_LENGTH ||
                mapping.length() < PairDescriptor.length(ringLength, window))
            {
                throw new VerbsException("modify_qp", Errno.EINVAL,
                    "the peer's shared-memory device has another layout: file=" + name + " version=" + version);
            }
            final byte[] proof = new byte[PROOF_LENGTH];
            copyOut(address + PROOF_OFFSET, proof);
            if (!MessageDigest.isEqual(proof, proof(secret)) ||
                !UnsafeApi.compareAndSetInt(null, address + CLAIM_OFFSET, CLAIM_FREE, CLAIM_BEGUN))
            {
                throw new VerbsException("modify_qp", Errno.ECONNREFUSED,
                    "the peer's queue pair is claimed by another, or the secret is not its: file=" + name);
            }
            UnsafeApi.putInt(address + CLAIM_NUMBER_OFFSET, number);
            UnsafeApi.putLong(address + CLAIM_GID_HIGH_OFFSET, gid.high());
            UnsafeApi.putLong(address + CLAIM_GID_LOW_OFFSET, gid.low());
            for (int i = 0; i < SECRET_LENGTH; i++)
            {
                UnsafeApi.putByte(address + CLAIM_SECRET_OFFSET + i, secret[i]);
            }
            UnsafeApi.putIntVolatile(null, address + CLAIM_OFFSET, CLAIM_DONE);
            return new PairFile(mapping, 1, 0, ringLength, window);
        }
        catch (final RuntimeException ex)
        {
            mapping.close();
            throw ex;
        }
    }

    boolean isHost()
    {
        return side == 0;
    }

    boolean isClaimed()
    {
        return UnsafeApi.getIntVolatile(null, mapping.address() + CLAIM_OFFSET) == CLAIM_DONE;
    }

    /**
     * @return whether the claim comes from the peer that is expected.
     */
    boolean isClaimValid(final Gid gid, final int number, final byte[] secret)
    {
        final long address = mapping.address();
        final byte[] claimed = new byte[SECRET_LENGTH];
        copyOut(address + CLAIM_SECRET_OFFSET, claimed);
        final boolean sameSecret = MessageDigest.isEqual(claimed, secret);
        return sameSecret && UnsafeApi.getInt(address + CLAIM_NUMBER_OFFSET) == number &&
            UnsafeApi.getLong(address + CLAIM_GID_HIGH_OFFSET) == gid.high() &&
            UnsafeApi.getLong(address + CLAIM_GID_LOW_OFFSET) == gid.low();
    }

    /**
     * @return how many receives can be told ahead.
     */
    int window()
    {
        return window;
    }

    PairSide own()
    {
        return own;
    }

    PairSide peer()
    {
        return peer;
    }

    RingWriter writer()
    {
        return writer;
    }

    RingReader reader()
    {
        return reader;
    }

    void ownReceiveLength(final long index, final int length)
    {
        UnsafeApi.putInt(ownLengths + (index & window - 1) * Integer.BYTES, length);
    }

    int peerReceiveLength(final long index)
    {
        return UnsafeApi.getInt(peerLengths + (index & window - 1) * Integer.BYTES);
    }

    @Override
    public void close()
    {
        mapping.close();
    }

    private static byte[] proof(final byte[] secret)
    {
        try
        {
            return MessageDigest.getInstance("SHA-256").digest(Arrays.copyOf(secret, SECRET_LENGTH));
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void copyOut(final long address, final byte[] target)
    {
        for (int i = 0; i < target.length; i++)
        {
            target[i] = UnsafeApi.getByte(address + i);
        }
    }

    private static int configuredRingLength()
    {
        final int length = Integer.getInteger(RING_LENGTH_PROPERTY, DEFAULT_RING_LENGTH);
        if (Integer.bitCount(length) != 1 || length < MIN_RING_LENGTH || length > MAX_RING_LENGTH)
        {
            throw new IllegalArgumentException(RING_LENGTH_PROPERTY + " must be a power of two from " +
                MIN_RING_LENGTH + " to " + MAX_RING_LENGTH + ": " + RING_LENGTH_PROPERTY + "=" + length);
        }
        return length;
    }
}
