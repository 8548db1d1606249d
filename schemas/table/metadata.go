package table

import (
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// Field ids of the Thrift structs of the Parquet format (parquet.thrift).
// parquet-go has them in the tags of its structs alone; TestFieldIDs compares.
const (
	// FileMetaData
	fmVersion      = 1
	fmSchema       = 2
	fmNumRows      = 3
	fmRowGroups    = 4
	fmKeyValues    = 5
	fmCreatedBy    = 6
	fmColumnOrders = 7
	fmEncryption   = 8

	// SchemaElement
	seType        = 1
	seTypeLength  = 2
	seRepetition  = 3
	seName        = 4
	seNumChildren = 5
	seConverted   = 6
	seScale       = 7
	seLogical     = 10

	// RowGroup
	rgColumns         = 1
	rgTotalByteSize   = 2
	rgNumRows         = 3
	rgSorting         = 4
	rgFileOffset      = 5
	rgTotalCompressed = 6
	rgOrdinal         = 7

	// ColumnChunk
	ccFilePath          = 1
	ccFileOffset        = 2
	ccMetaData          = 3
	ccOffsetIndexOffset = 4
	ccOffsetIndexLength = 5
	ccColumnIndexOffset = 6
	ccColumnIndexLength = 7
	ccCrypto            = 8
	ccEncryptedMetaData = 9

	// ColumnMetaData
	cmType              = 1
	cmEncodings         = 2
	cmPath              = 3
	cmCodec             = 4
	cmNumValues         = 5
	cmTotalUncompressed = 6
	cmTotalCompressed   = 7
	cmKeyValues         = 8
	cmDataPageOffset    = 9
	cmIndexPageOffset   = 10
	cmDictionaryOffset  = 11
	cmStatistics        = 12
	cmBloomOffset       = 14
	cmBloomLength       = 15
	cmSizeStatistics    = 16

	// Statistics
	stMax      = 1 // deprecated
	stMin      = 2 // deprecated
	stMaxValue = 5
	stMinValue = 6

	// PageHeader
	phType         = 1
	phUncompressed = 2
	phCompressed   = 3
	phCRC          = 4
	phDataV1       = 5
	phDictionary   = 7
	phDataV2       = 8

	// DataPageHeader
	dpNumValues   = 1
	dpEncoding    = 2
	dpDefEncoding = 3
	dpRepEncoding = 4

	// DictionaryPageHeader
	diNumValues = 1
	diEncoding  = 2

	// DataPageHeaderV2
	d2NumValues    = 1
	d2NumNulls     = 2
	d2NumRows      = 3
	d2Encoding     = 4
	d2DefLength    = 5
	d2RepLength    = 6
	d2IsCompressed = 7

	// SortingColumn
	scColumn = 1

	// OffsetIndex, PageLocation
	oiLocations = 1
	plOffset    = 1

	// KeyValue
	kvKey   = 1
	kvValue = 2

	// BloomFilterHeader
	bfNumBytes = 1
)

// Physical types.
const (
	physBoolean   = int(format.Boolean)
	physInt32     = int(format.Int32)
	physInt64     = int(format.Int64)
	physInt96     = int(format.Int96)
	physFloat     = int(format.Float)
	physDouble    = int(format.Double)
	physByteArray = int(format.ByteArray)
	physFixed     = int(format.FixedLenByteArray)
)

// Repetition types.
const (
	repRequired = int(format.Required)
	repOptional = int(format.Optional)
	repRepeated = int(format.Repeated)
)

// Page types.
const (
	pageData       = int64(format.DataPage)
	pageIndex      = int64(format.IndexPage)
	pageDictionary = int64(format.DictionaryPage)
	pageDataV2     = int64(format.DataPageV2)
)

// Encodings.
const (
	encPlain = int64(format.Plain)
	//lint:ignore SA1019 older writers use it
	encPlainDictionary = int64(format.PlainDictionary)
	encRLE             = int64(format.RLE)
	encBitPacked       = int64(format.BitPacked)
	encDelta           = int64(format.DeltaBinaryPacked)
	encDeltaLength     = int64(format.DeltaLengthByteArray)
	encDeltaStrings    = int64(format.DeltaByteArray)
	encRLEDictionary   = int64(format.RLEDictionary)
	encByteStreamSplit = int64(format.ByteStreamSplit)
)

// Members of the LogicalType union.
var (
	logString    = (*format.StringType)(nil).FieldID()
	logMap       = (*format.MapType)(nil).FieldID()
	logEnum      = (*format.EnumType)(nil).FieldID()
	logDecimal   = (*format.DecimalType)(nil).FieldID()
	logDate      = (*format.DateType)(nil).FieldID()
	logTime      = (*format.TimeType)(nil).FieldID()
	logTimestamp = (*format.TimestampType)(nil).FieldID()
	logInteger   = (*format.IntType)(nil).FieldID()
	logUnknown   = (*format.NullType)(nil).FieldID()
	logJSON      = (*format.JsonType)(nil).FieldID()
	logUUID      = (*format.UUIDType)(nil).FieldID()
)

// Members of the TimeUnit union.
var (
	unitMillis = (*format.MilliSeconds)(nil).FieldID()
	unitMicros = (*format.MicroSeconds)(nil).FieldID()
	unitNanos  = (*format.NanoSeconds)(nil).FieldID()
)

// Converted types, the older annotation.
const (
	convNone            = -1
	convUTF8            = int(deprecated.UTF8)
	convMap             = int(deprecated.Map)
	convEnum            = int(deprecated.Enum)
	convDecimal         = int(deprecated.Decimal)
	convDate            = int(deprecated.Date)
	convTimestampMillis = int(deprecated.TimestampMillis)
	convTimestampMicros = int(deprecated.TimestampMicros)
	convUint8           = int(deprecated.Uint8)
	convUint64          = int(deprecated.Uint64)
	convInt8            = int(deprecated.Int8)
	convInt64           = int(deprecated.Int64)
	convJSON            = int(deprecated.Json)
)

// Codecs.
const (
	codecUncompressed = int64(format.Uncompressed)
	codecSnappy       = int64(format.Snappy)
	codecGzip         = int64(format.Gzip)
	codecLZO          = int64(format.LZO)
	codecBrotli       = int64(format.Brotli)
	codecLZ4          = int64(format.Lz4)
	codecZstd         = int64(format.Zstd)
	codecLZ4Raw       = int64(format.Lz4Raw)
)
