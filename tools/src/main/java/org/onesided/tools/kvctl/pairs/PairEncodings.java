package org.onesided.tools.kvctl.pairs;

/**
 * How the keys and values of pairs are written.
 *
 * @param key   encoding of keys.
 * @param value encoding of values.
 */
public record PairEncodings(ByteEncoding key, ByteEncoding value)
{
    /** The usual encodings of each form. */
    public static final PairEncodings USUAL = new PairEncodings(ByteEncoding.UTF8, ByteEncoding.UTF8);
}
