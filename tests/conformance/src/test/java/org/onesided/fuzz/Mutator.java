package org.onesided.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Makes inputs of others: each is one of the corpus with a few changes. What comes out depends on the random numbers
 * and on the corpus alone.
 */
final class Mutator
{
    private static final long[] EDGES = {
        0, 1, 2, 7, 8, 15, 16, 17, 63, 64, 127, 128, 255, 256, 511, 4095, 4096, 4097, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000,
        Integer.MAX_VALUE, 1L << 31, 0xFFFF_FFFFL, 1L << 32, 1L << 36, 1L << 47, Long.MAX_VALUE - 7, Long.MAX_VALUE,
        Long.MIN_VALUE, -1, -2, -8, -64, -4096};
    private static final int MAX_CHANGES = 6;
    private static final int MAX_REPEATS = 2000;
    /** One input in so many is left as it is, and one is nothing but noise. */
    private static final int ODDITIES = 64;

    private final List<byte[]> corpus;
    private final byte[][] words;
    private final int maxLength;

    /**
     * @param corpus    at least one input.
     * @param words     to strew in.
     * @param maxLength of what is made, in bytes.
     */
    Mutator(final List<byte[]> corpus, final List<String> words, final int maxLength)
    {
        this.corpus = corpus;
        this.words = words.stream().map((word) -> word.getBytes(UTF_8)).toArray(byte[][]::new);
        this.maxLength = maxLength;
    }

    byte[] next(final Random random)
    {
        final byte[] base = any(random);
        final int odd = random.nextInt(ODDITIES);
        if (odd == 0)
        {
            return base.clone();
        }
        if (odd == 1)
        {
            return noise(random, random.nextInt(Math.min(maxLength, 600) + 1));
        }
        byte[] input = base;
        for (int i = 1 + random.nextInt(MAX_CHANGES); i > 0; i--)
        {
            input = changed(input, random);
        }
        return input.length <= maxLength ? input : Arrays.copyOf(input, maxLength);
    }

    private byte[] any(final Random random)
    {
        return corpus.get(random.nextInt(corpus.size()));
    }

    private byte[] changed(final byte[] input, final Random random)
    {
        final int at = random.nextInt(input.length + 1);
        final int length = random.nextInt(Math.min(input.length - at, 1 << random.nextInt(10)) + 1);
        return switch (random.nextInt(11))
        {
            case 0, 1 -> flipped(input, at, random);
            case 2 -> overwritten(input, at, noise(random, 1));
            case 3, 4 -> overwritten(input, at, number(random));
            case 5 -> replaced(input, at, length, new byte[0]);
            case 6 -> replaced(input, at, 0, noise(random, 1 + random.nextInt(16)));
            case 7 -> repeated(input, at, length, random);
            case 8 -> Arrays.copyOf(input, at);
            case 9 -> spliced(input, at, length, random);
            default -> replaced(input, at, random.nextBoolean() ? 0 : length,
                words.length == 0 ? number(random) : words[random.nextInt(words.length)]);
        };
    }

    private static byte[] flipped(final byte[] input, final int at, final Random random)
    {
        final byte[] changed = input.clone();
        if (at < changed.length)
        {
            changed[at] ^= (byte)(1 << random.nextInt(8));
        }
        return changed;
    }

    private static byte[] overwritten(final byte[] input, final int at, final byte[] bytes)
    {
        final byte[] changed = input.clone();
        System.arraycopy(bytes, 0, changed, at, Math.min(bytes.length, changed.length - at));
        return changed;
    }

    /** A number at an edge or a little beside it, in 1, 2, 4 or 8 bytes. */
    private static byte[] number(final Random random)
    {
        final long value = EDGES[random.nextInt(EDGES.length)] + random.nextInt(3) - 1;
        final byte[] bytes = new byte[1 << random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)(value >>> Byte.SIZE * i);
        }
        return bytes;
    }

    private byte[] repeated(final byte[] input, final int at, final int length, final Random random)
    {
        if (length == 0)
        {
            return input;
        }
        final int room = Math.max(0, maxLength - input.length) / length;
        final int times = Math.min(room, 1 + random.nextInt(1 << random.nextInt(12)) % MAX_REPEATS);
        final byte[] again = new byte[times * length];
        for (int i = 0; i < times; i++)
        {
            System.arraycopy(input, at, again, i * length, length);
        }
        return replaced(input, at, 0, again);
    }

    private byte[] spliced(final byte[] input, final int at, final int length, final Random random)
    {
        final byte[] other = any(random);
        final int from = random.nextInt(other.length + 1);
        final int to = random.nextBoolean() ? other.length : from + random.nextInt(other.length - from + 1);
        return replaced(input, at, random.nextBoolean() ? input.length - at : length,
            Arrays.copyOfRange(other, from, to));
    }

    private static byte[] replaced(final byte[] input, final int at, final int length, final byte[] by)
    {
        final byte[] changed = new byte[input.length - length + by.length];
        System.arraycopy(input, 0, changed, 0, at);
        System.arraycopy(by, 0, changed, at, by.length);
        System.arraycopy(input, at + length, changed, at + by.length, input.length - at - length);
        return changed;
    }

    private static byte[] noise(final Random random, final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
