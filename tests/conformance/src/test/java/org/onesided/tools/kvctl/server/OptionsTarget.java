package org.onesided.tools.kvctl.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.onesided.fuzz.FuzzTarget;
import org.onesided.fuzz.Refusal;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.settings.MemorySize;
import org.onesided.tools.settings.TimeSpan;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.VerbsException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What stands behind options: sizes, times, addresses and devices, each line of the input as each of them.
 */
public final class OptionsTarget implements FuzzTarget
{
    private static final ITypeConverter<ListenAddress> ADDRESS = ListenAddress::parse;
    private static final ITypeConverter<ListenAddress> LOCAL_ADDRESS = ListenAddress::parseLocal;
    private static final List<ITypeConverter<?>> CONVERTERS =
        List.of(new MemorySize(), new TimeSpan(), new SpinTime(), ADDRESS, LOCAL_ADDRESS);

    /**
     * For {@code ServiceLoader}.
     */
    public OptionsTarget()
    {
    }

    @Override
    public String name()
    {
        return "options";
    }

    @Override
    public int maxLength()
    {
        return 512;
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        return (2L << 20) + 1_000L * inputLength;
    }

    @Override
    public List<String> words()
    {
        return List.of("\n", ":", ",", "[", "]", ".", " ", "g", "gib", "kb", "ms", "us", "shm", "ibv:", "tcp:", "auto",
            "0.1b", "99999999999999999999", "65536", "\u0660", "\u0130", "never", "always", "-1", "+1");
    }

    @Override
    public void feed(final byte[] input) throws Exception
    {
        for (final String text : new String(input, UTF_8).split("\n", 8))
        {
            for (final ITypeConverter<?> converter : CONVERTERS)
            {
                convert(converter, text);
            }
            try
            {
                new DeviceChoice(text, ConnectionOptions.defaults(0), true);
            }
            catch (final VerbsException e)
            {
                Refusal.check(Text.oneLine(e.getMessage()), e);
            }
        }
    }

    private static void convert(final ITypeConverter<?> converter, final String text) throws Exception
    {
        try
        {
            final Object value = converter.convert(text);
            if (converter instanceof MemorySize && (Long)value < 1)
            {
                throw new AssertionError("not a size: " + text + " is " + value);
            }
            if (value instanceof ListenAddress address && !address.equals(ListenAddress.parse(address.toString())))
            {
                throw new AssertionError("another address: " + text + " is " + address);
            }
        }
        catch (final TypeConversionException e)
        {
            Refusal.check(Text.oneLine(e.getMessage()), e);
        }
    }
}
