package org.onesided.tools.kvctl.pairs;

/**
 * Recognises well-formed UTF-8 (Unicode, table 3-7).
 */
final class Utf8
{
    private Utf8()
    {
    }

    /**
     * @return whether all bytes are well-formed.
     */
    static boolean isText(final byte[] bytes)
    {
        int i = 0;
        while (i < bytes.length)
        {
            final int length = sequenceLength(bytes, i);
            if (length == 0)
            {
                return false;
            }
            i += length;
        }
        return true;
    }

    /**
     * @return length of the sequence at an index; 0 if it is malformed.
     */
    static int sequenceLength(final byte[] bytes, final int index)
    {
        final int lead = bytes[index] & 0xFF;
        if (lead < 0x80)
        {
            return 1;
        }
        if (lead < 0xC2 || lead > 0xF4)
        {
            return 0;
        }
        final int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (index + length > bytes.length)
        {
            return 0;
        }
        // The range of the second byte excludes overlong forms, surrogates, and code points beyond Unicode.
        final int second = bytes[index + 1] & 0xFF;
        final int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        final int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < low || second > high)
        {
            return 0;
        }
        for (int i = index + 2; i < index + length; i++)
        {
            if ((bytes[i] & 0xC0) != 0x80)
            {
                return 0;
            }
        }
        return length;
    }

    /**
     * @return length of the printable character at an index; 0 for malformed bytes or a control character.
     */
    static int printableLength(final byte[] bytes, final int index)
    {
        final int length = sequenceLength(bytes, index);
        final int lead = bytes[index] & 0xFF;
        final boolean isControl = lead < 0x20 || lead == 0x7F ||
            length == 2 && lead == 0xC2 && (bytes[index + 1] & 0xFF) < 0xA0;
        return isControl ? 0 : length;
    }
}
