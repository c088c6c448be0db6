package org.onesided.tools.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.types.Waiting;
import org.onesided.tools.DocumentedTable;
import org.onesided.verbs.HugePages;

/**
 * The table of the builder's settings is made from the builder's Javadoc: the first paragraph of each method is
 * {@code Sets MEANING. Default VALUE.}
 */
class BuilderSettingsTest
{
    private static final Path SOURCE = Path.of(
        "..", "store-client", "src", "main", "java", "org", "onesided", "client", "StoreClientBuilder.java");
    /** The first paragraph, which other paragraphs and tags may follow, and the method's name. */
    private static final Pattern SETTING = Pattern.compile(
        "    /\\*\\*\n((?:     \\* [^@\n].*\n)+)(?:     \\*(?: .*)?\n)+?     \\*/\n" +
            "    public StoreClientBuilder (\\w+)\\(");
    private static final Pattern PARAGRAPH = Pattern.compile("(?:Sets )?(.+?)\\. Default (.+)\\.");
    private static final Pattern CONSTANT = Pattern.compile("\\{@(?:value|link) (\\w*)#(\\w+)}");
    private static final Pattern CODE = Pattern.compile("\\{@code ([^}]+)}");
    private static final Map<String, String> READ_MORE = Map.of(
        "tls", "[security.md](security.md)",
        "device", "the [README](../README.md#devices)",
        "hugePages", "[memory.md](memory.md)",
        "waiting", "[waiting.md](waiting.md)",
        "executor", "below");

    @Test
    void shouldDocumentEachSettingOfTheBuilder() throws Exception
    {
        final StringBuilder table = new StringBuilder("| setting | default | meaning |\n|---|---|---|\n");
        final Set<String> documented = new TreeSet<>();
        final Matcher settings = SETTING.matcher(Files.readString(SOURCE));
        while (settings.find())
        {
            final String name = settings.group(2);
            final String text = settings.group(1).replaceAll("\\s*\n? {5}\\* ", " ").strip();
            final Matcher paragraph = PARAGRAPH.matcher(text);
            assertTrue(paragraph.matches(), name + " does not begin with 'Sets MEANING. Default VALUE.': " + text);
            final String more = READ_MORE.containsKey(name) ? ", see " + READ_MORE.get(name) : "";
            table.append("| `").append(name).append("` | ").append(value(paragraph.group(2))).append(" | ")
                .append(CODE.matcher(paragraph.group(1)).replaceAll("`$1`")).append(more).append(" |\n");
            documented.add(name);
        }

        assertEquals(setters(), documented);
        assertTrue(documented.containsAll(READ_MORE.keySet()), READ_MORE.keySet().toString());
        DocumentedTable.in(Path.of("..", "docs", "library.md"), "builder").assertIs(table.toString());
    }

    private static Set<String> setters()
    {
        final Set<String> names = new TreeSet<>();
        Stream.of(StoreClientBuilder.class.getMethods())
            .filter((method) -> method.getReturnType() == StoreClientBuilder.class)
            .map(Method::getName)
            .forEach(names::add);
        return names;
    }

    /** A default as the table shows it: words, or the value of the constant that the Javadoc names. */
    private static String value(final String words) throws ReflectiveOperationException
    {
        final Matcher constant = CONSTANT.matcher(words);
        if (!constant.matches())
        {
            assertTrue(!words.contains("{@"), words);
            return words;
        }
        final Class<?> owner = switch (constant.group(1))
        {
            case "" -> StoreClientBuilder.class;
            case "Waiting" -> Waiting.class;
            case "HugePages" -> HugePages.class;
            default -> null;
        };
        assertNotNull(owner, "add the class: " + words);
        final Field field = owner.getField(constant.group(2));
        final Object value = field.get(null);
        if (value instanceof Duration)
        {
            return TimeSpan.text((Duration)value);
        }
        if (value instanceof Waiting)
        {
            return "spins for " + TimeSpan.text(Duration.ofNanos(((Waiting)value).spinNs()));
        }
        return field.getName().endsWith("_BYTES") ? MemorySize.text((long)value) : "`" + value + "`";
    }
}
