package org.onesided.client.session;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Shows keys to people: UTF-8 text as it is, other bytes and control characters as {@code \xHH}, long ones cut.
 */
public final class KeyText
{
    private static final int MAX_BYTES = 64;

    private KeyText()
    {
    }

    /**
     * @param key any bytes.
     * @return it in printable form, shortened if it is long.
     */
    public static String of(final byte[] key)
    {
        return shown(Arrays.copyOf(key, Math.min(key.length, MAX_BYTES)), key.length);
    }

    /**
     * @param address of the key.
     * @param length  in bytes.
     * @return it in printable form, shortened if it is long.
     */
    public static String of(final long address, final int length)
    {
        final byte[] shown = new byte[Math.min(length, MAX_BYTES)];
        for (int i = 0; i < shown.length; i++)
        {
            shown[i] = UnsafeApi.getByte(address + i);
        }
        return shown(shown, length);
    }

    private static String shown(final byte[] first, final int length)
    {
        final String text = printable(first);
        return length > MAX_BYTES ? text + "... (" + length + " bytes)" : text;
    }

    private static String printable(final byte[] bytes)
    {
        try
        {
            final String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            if (text.codePoints().allMatch(KeyText::isPrintable))
            {
                return text;
            }
        }
        catch (final CharacterCodingException e)
        {
            // Not text: the key is shown byte by byte.
        }
        final StringBuilder text = new StringBuilder();
        for (final byte each : bytes)
        {
            if (each > ' ' && each < 0x7F && each != '\\')
            {
                text.append((char)each);
            }
            else
            {
                text.append(String.format("\\x%02x", each));
            }
        }
        return text.toString();
    }

    private static boolean isPrintable(final int codePoint)
    {
        return switch (Character.getType(codePoint))
        {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                Character.PRIVATE_USE, Character.SURROGATE, Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
