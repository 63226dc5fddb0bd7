import { once } from "../base/once.ts";

/** A programming term: how Chinese writes it and how English code and prose do. */
export interface Entry {
  /** Simplified, Traditional and Taiwanese spellings and synonyms. Contract: each in one entry only. */
  readonly zh: readonly string[];
  /** Lower-case words, most typical first, at most five. `thread_pool` means all its parts. */
  readonly en: readonly string[];
}

/**
 * Terms of programming, Chinese and English, for questions in one language about code in the other.
 * Contract: parsed at the first call, because a hook's start must not pay for it; the same array every time. In no
 * order of length: who matches them in a sentence takes the longest first.
 */
export const glossary: () => readonly Entry[] = once(() =>
  TERMS.trim()
    .split(/ ; |\n/)
    .map((entry) => {
      const [zh = "", en = ""] = entry.split(" = ");
      return { zh: zh.split(","), en: en.split(" ") };
    }),
);

const TERMS = `
函数,函式,函數 = function func fn ; 匿名函数,匿名函式,匿名函數 = anonymous lambda closure ; 命令行参数,命令列引數,命令列參數,命令行參數 = argv args flags cli
箭头函数,箭頭函式,箭頭函數 = arrow_function lambda ; 回调函数,回调,回呼,回調函數,回調 = callback cb ; 析构函数,解構子,解構函式,析構函數 = destructor dispose drop
高阶函数,高階函式,高階函數 = higher_order ; 构造函数,构造器,建構子,建構函式,構造函數,構造器 = constructor ctor init ; 局部变量,本地变量,區域變數,局部變量,本地變量 = local
纯函数,純函數 = pure ; 递归函数,递归,遞迴,遞歸函數,遞歸 = recursive recursion recurse ; 钩子函数,钩子,掛鉤,鉤子函數,鉤子 = hook ; 变量,變數,變量 = variable var
工厂函数,工厂方法,工厂模式,工厂类,工廠函數,工廠方法,工廠模式,工廠類 = factory create ; 虚函数,虛擬函式,虛函數 = virtual ; 可变参数,可變參數 = variadic varargs args rest
内联函数,内联,行內函式,內聯函數,內聯 = inline ; 哈希函数,散列函数,雜湊函式,哈希函數,散列函數 = hash_function hash hasher ; 类型别名,型別別名,類型別名 = type_alias alias
损失函数,損失函數 = loss criterion ; 激活函数,啟動函式,激活函數 = activation relu sigmoid ; 成员变量,實例變數,实例变量,成員變量,實例變量 = field member instance
比较函数,比较器,比較函數,比較器 = comparator compare cmp ; 辅助函数,工具函数,工具类,輔助函數,工具函數,工具類 = helper util utils ; 常量,常數,常数 = constant const
存储过程,預存程序,存儲過程 = stored_procedure procedure ; 方法 = method ; 全局变量,全域變數,全局變量 = global ; 数据类,數據類 = dataclass record struct
环境变量,環境變數,環境變量 = env environ environment ; 类变量,静态变量,靜態變數,類變量,靜態變量 = static ; 实例化,實例化 = instantiate instantiation new
参数,參數,引數 = parameter param argument arg args ; 形参,形參 = parameter param ; 实参,實參 = argument arg ; 抽象类,抽象類別,抽象類 = abstract
关键字参数,關鍵字參數 = kwargs keyword ; 查询参数,查詢字串,查询字符串,查詢參數,查詢字符串 = query querystring search_params ; 实体类,實體類 = entity model
路径参数,路徑參數 = path_param params ; 泛型 = generic generics ; 返回值,傳回值,回傳值 = return result ; 封装,封裝 = encapsulate wrap wrapper
类型,型別,類型 = type kind ; 类型推断,类型推导,型別推斷,類型推斷,類型推導 = type_inference infer inference ; 数据类型,資料型別,數據類型 = data_type dtype type
类型检查,型別檢查,類型檢查 = type_check typecheck typing ; 类型注解,类型标注,类型提示,型別註解,類型註解,類型標註,類型提示 = annotation type_hint typing
类型转换,強制轉型,轉型,類型轉換 = cast convert coerce conversion ; 类型守卫,類型守衛 = type_guard guard narrow ; 语句,陳述式,敘述,語句 = statement stmt
类型断言,類型斷言 = type_assertion assert cast ; 联合类型,聯合類型 = union ; 类名,類名 = class_name classname ; 内部类,內部類 = inner_class nested
基类,父类,超类,父類別,基類,父類,超類 = base superclass parent super ; 遍历,走訪,巡訪,遍歷 = traverse iterate walk traversal visit ; 分支 = branch
子类,派生类,子類別,衍生類別,子類,派生類 = subclass derived child ; 类组件,類組件 = class_component component ; 覆盖,覆蓋 = override overwrite cover
对象,物件,對象 = object obj ; 面向对象,物件導向,面向對象 = object_oriented oop ; 实例,執行個體,實例 = instance ; 表达式,運算式,表示式,表達式 = expression expr
单例,單例模式,單例 = singleton ; 原型 = prototype proto ; 原型链,原型鏈 = prototype_chain prototype ; 条件,條件 = condition cond predicate
接口,介面 = interface api ; 继承,繼承 = inherit inheritance extends ; 文档注释,文档字符串,文檔註釋,文檔字符串 = docstring jsdoc doc_comment
多重继承,多重繼承 = multiple_inheritance mro ; 多态,多型,多態 = polymorphism polymorphic ; 死循环,无限循环,無窮迴圈,死循環,無限循環 = infinite_loop loop
包装器,包装类,包裝器,包裝類 = wrapper wrap ; 组合,組合 = compose composition combine ; 重载,多載,重載 = overload ; 装饰器,裝飾子,修飾器,裝飾器 = decorator
重写,覆写,重寫,覆寫 = override rewrite ; 运算符重载,運算子多載,運算符重載 = operator_overload operator ; 条件语句,条件判断,條件語句,條件判斷 = condition branch
运算符,操作符,運算子,運算符 = operator ; 三元运算符,三元表达式,三元運算符,三元表達式 = ternary conditional ; 包管理器,包管理,套件管理 = package_manager npm pip
展开运算符,展開運算符 = spread rest ; 循环,迴圈,循環 = loop iterate ; 迭代器 = iterator iter ; 静态方法,靜態方法 = static_method staticmethod
迭代 = iterate iteration ; 可迭代 = iterable iter ; 生成器 = generator yield ; 循环依赖,循环引用,循環相依,循環依賴,循環引用 = circular cycle cyclic
注解,註解 = annotation comment ; 注释,註釋 = comment annotation ; 属性,屬性 = property attribute attr prop ; 枚举值,枚舉值 = enum variant
计算属性,計算屬性 = computed ; 私有 = private ; 公有,公开,公開 = public ; 受保护,受保護 = protected ; 静态,靜態 = static ; 哈希,散列,雜湊 = hash digest
成员,成員 = member ; 字段,欄位 = field column ; 作用域 = scope ; 命名空间,名稱空間,命名空間 = namespace ; 依赖,相依性,相依,依賴 = dependency depend deps
闭包,閉包 = closure ; 模块,模組,模塊 = module mod ; 软件包,依赖包,套件,軟件包,依賴包 = package pkg ; 导入,匯入,導入 = import ; 差集 = difference diff
导出,匯出,導出 = export ; 依赖注入,相依性注入,依賴注入 = dependency_injection inject injector container provide ; 数组,陣列,數組 = array arr list
枚举,列舉,枚舉 = enum enumeration ; 结构体,結構體 = struct ; 元组,元組 = tuple ; 字典 = dict dictionary map ; 交集 = intersection intersect
列表,清單 = list ; 二维数组,二維數組 = matrix grid array ; 栈溢出,堆栈溢出,爆栈,堆疊溢位,棧溢出,堆棧溢出,爆棧 = stack_overflow recursion overflow
数组越界,越界,索引越界,數組越界 = out_of_bounds bounds index_error ; 切片 = slice ; 映射,對映 = map mapping ; 死信队列,死信,死信隊列 = dead_letter dlq
映射表 = mapping lookup map ; 哈希表,散列表,雜湊表 = hash_table hashmap map ; 优先队列,优先级队列,優先佇列,優先隊列,優先級隊列 = priority_queue heap heapq
一致性哈希,一致性雜湊 = consistent_hash ring ; 集合 = set collection ; 并集,聯集,並集 = union ; 子集 = subset ; 平衡树,平衡樹 = balanced avl tree
链表,鏈結串列,連結串列,鏈表 = linked_list list node ; 双向链表,雙向鏈結串列,雙向鏈表 = doubly_linked linked_list ; 调用栈,呼叫堆疊,調用棧 = call_stack stack
队列,佇列,隊列 = queue ; 消息队列,訊息佇列,消息隊列 = message_queue queue mq broker ; 双端队列,雙端隊列 = deque ; 有向图,有向圖 = digraph directed graph
延迟队列,延时队列,延遲隊列,延時隊列 = delay_queue delayed ; 环形缓冲区,循环缓冲区,環形緩衝區,循環緩衝區 = ring_buffer circular_buffer ; 栈,栈结构,棧,棧結構 = stack
堆栈,堆疊,堆棧 = stack ; 堆内存,堆內存 = heap ; 堆排序 = heapsort heap_sort ; 最小堆,最大堆,二叉堆 = heap heapq ; 二叉树,二元樹,二叉樹 = binary_tree tree
二叉搜索树,二元搜尋樹,二叉搜索樹 = bst binary_search_tree ; 红黑树,紅黑樹 = red_black rbtree ; 拓扑排序,拓撲排序 = topological topo_sort toposort
前缀树,字典树,前綴樹,字典樹 = trie prefix ; 线段树,線段樹 = segment_tree ; 树形结构,树结构,树状,樹形結構,樹結構,樹狀 = tree ; 快速排序,快排 = quicksort quick_sort
树节点,樹節點 = tree_node node ; 根节点,根節點 = root ; 叶子节点,叶节点,葉子節點,葉節點 = leaf ; 父节点,父節點 = parent ; 稳定排序,穩定排序 = stable_sort stable
子节点,子節點 = child children ; 兄弟节点,兄弟節點 = sibling ; 节点,節點 = node ; 邻接表,鄰接表 = adjacency ; 最短路径,最短路徑 = shortest_path dijkstra
邻居,鄰居 = neighbor neighbour ; 有向无环图,有向無環圖 = dag acyclic topological ; 编辑距离,編輯距離 = edit_distance levenshtein distance
广度优先,广度优先搜索,廣度優先,廣度優先搜索 = bfs breadth ; 深度优先,深度优先搜索,深度優先,深度優先搜索 = dfs depth ; 模糊匹配,模糊搜索,模糊查询,模糊查詢 = fuzzy like match
二分查找,二分搜索,二分搜尋 = binary_search bisect ; 动态规划,動態規劃 = dynamic_programming memo ; 归并排序,合併排序,歸併排序 = merge_sort mergesort
贪心,贪婪算法,貪心,貪婪算法 = greedy ; 回溯 = backtrack ; 分治 = divide_conquer ; 算法,演算法 = algorithm algo ; 随机数,亂數,隨機數 = random rand rng
数据结构,資料結構,數據結構 = data_structure ; 时间复杂度,复杂度,時間複雜度,複雜度 = complexity ; 最近最少使用,缓存淘汰,緩存淘汰 = lru evict eviction
排序 = sort order ordering sorted ; 冒泡排序,氣泡排序 = bubble_sort ; 升序 = ascending asc ; 野指针,悬空指针,野指針,懸空指針 = dangling pointer
降序,倒序 = descending desc reverse ; 去重,去除重复,去除重複 = dedupe unique distinct deduplicate dedup ; 随机,隨機 = random rand shuffle
重复,重複 = duplicate repeat repeated ; 布隆过滤器,布隆過濾器 = bloom_filter bloom ; 跳表 = skip_list skiplist ; 语法糖,語法糖 = sugar desugar
并查集,並查集 = union_find disjoint ; 滑动窗口,滑動窗口 = sliding_window window ; 智能指针,智能指針 = smart_pointer shared_ptr unique_ptr
双指针,雙指針 = two_pointers pointer ; 排列 = permutation arrange ; 随机种子,种子,隨機種子,種子 = seed ; 模式匹配 = pattern_match match pattern
洗牌,打乱,打亂 = shuffle ; 相似度 = similarity score ; 匹配 = match matching ; 通配符,萬用字元 = wildcard glob ; 关键字,关键词,關鍵字,關鍵詞 = keyword
字面量 = literal ; 保留字 = reserved keyword ; 标识符,識別字,標識符 = identifier ident ; 宏,巨集 = macro ; 弱引用,弱參考 = weak_ref weakref weak
预处理器,前置處理器,預處理器 = preprocessor ; 指针,指標,指針 = pointer ptr ; 空指针,空指针异常,空指標,空指針,空指針異常 = null_pointer nullptr nil npe
解引用 = dereference deref ; 引用,參考 = reference ref ; 引用计数,參考計數,引用計數 = refcount reference_count ; 初始值 = initial init default
借用检查,借用檢查 = borrow_checker borrow ; 所有权,擁有權,所有權 = ownership owner ; 模板字符串,樣板字串 = template_literal template interpolation
生命周期,生命週期 = lifecycle lifetime ; 赋值,指派,賦值 = assign assignment ; 转义字符,转义,跳脫字元,跳脫,轉義字符,轉義 = escape escaping unescape
解构赋值,解构,解構賦值,解構 = destructure destructuring ; 初始化 = init initialize initialise setup ; 下划线,底線,下劃線 = underscore underline
默认值,預設值,默認值 = default fallback ; 默认,預設,默認 = default ; 布尔,布尔值,布林,布爾,布爾值 = bool boolean ; 特殊字符,特殊字元 = special_char escape
整数,整型,整數 = int integer ; 浮点数,浮点,浮點數,浮點 = float double floating ; 双精度,雙精度 = double ; 字符串插值,插值 = interpolate interpolation
字符串,字串 = string str ; 空字符串,空字串 = empty_string empty blank ; 多行字符串 = multiline ; 驼峰,驼峰命名,駝峰式,駝峰,駝峰命名 = camel camelcase
格式化字符串,格式化字串 = format fmt ; 字符,字元 = char character ; 字符集,字元集 = charset encoding ; 括号,括弧,括號 = bracket paren parenthesis
换行符,换行,換列,換行符,換行 = newline line_break eol wrap ; 回车,回車 = carriage enter crlf ; 首字母大写,首字母大寫 = capitalize capitalise title
空格 = space whitespace ; 空白字符,空白字元 = whitespace blank ; 空行 = blank_line empty_line ; 制表符 = tab ; 空值 = null none nil empty
缩进,縮排,縮進 = indent indentation ; 大小写,大小寫 = case casing ; 为空,非空判断,判空,為空,非空判斷 = empty null isempty blank ; 斜杠,斜線,斜槓 = slash
不区分大小写,忽略大小写,不區分大小寫,忽略大小寫 = case_insensitive ignore_case lowercase ; 大写,大寫 = upper uppercase ; 扁平化,展平,攤平 = flatten flat
小写,小寫 = lower lowercase ; 花括号,大括号,花括號,大括號 = brace ; 引号,引號 = quote ; 反斜杠,反斜槓 = backslash ; 未定义,未定義 = undefined undeclared
分隔符,分隔字元 = separator delimiter sep ; 前缀,前綴,字首 = prefix ; 后缀,字尾,後綴 = suffix ; 后缀名,扩展名,副檔名,後綴名,擴展名 = extension ext suffix
前导零,补零,前導零,補零 = zero_pad pad leading_zero ; 填充 = fill pad padding ; 空数组,空列表,空數組 = empty ; 嵌套,巢状,巢狀 = nested nesting nest
非空 = not_null nonnull required notempty ; 可空 = nullable optional ; 可选,選用,可選 = optional option ; 禁用,停用 = disable disabled
可选链,可選鏈 = optional_chaining ; 必填,必需,必选,必選 = required mandatory ; 过时,废弃,已弃用,弃用,過時,廢棄,已棄用,棄用 = deprecated obsolete legacy
只读,唯讀,只讀 = readonly read_only immutable ; 可变,可變 = mutable mut ; 线程安全,執行緒安全,線程安全 = thread_safe threadsafe synchronized
不可变,不可變 = immutable frozen readonly ; 可写,可寫 = writable write ; 向后兼容,向下兼容,向後兼容 = backward_compatible compat legacy
异步,非同步,異步 = async asynchronous await ; 同步 = sync synchronous synchronize ; 兼容,兼容性,相容 = compatible compat compatibility
并发,並發,併發 = concurrent concurrency parallel ; 并行,並行 = parallel ; 串行 = serial sequential ; 激活 = activate active activation
惰性,懒加载,延迟加载,惰性載入,懶加載,延遲加載 = lazy lazy_load defer ; 阻塞 = block blocking ; 可用性,高可用 = availability high_availability
非阻塞 = nonblocking non_blocking ; 动态,動態 = dynamic ; 全局,全域 = global ; 局部,區域性 = local partial ; 标识,標識 = identifier id flag
临时,暫存,臨時 = temp temporary tmp ; 临时文件,暫存檔,臨時文件 = tempfile temp_file tmp ; 唯一 = unique ; 可扩展,可擴充,可擴展 = extensible scalable
唯一标识,唯一标识符,唯一標識,唯一標識符 = uuid guid id ; 有效 = valid active ; 无效,無效 = invalid ; 幂等,幂等性,冪等,冪等性 = idempotent idempotency
非法 = illegal invalid ; 合法 = valid legal ; 启用,啟用 = enable enabled ; 安全 = safe security secure ; 抛出,擲回,拋擲,拋出 = throw raise
原子,原子性,原子操作 = atomic ; 一致性 = consistency consistent ; 可靠性 = reliability reliable ; 错误码,错误代码,錯誤碼,錯誤代碼 = error_code errno
完整性 = integrity ; 健壮性,健壯性 = robust ; 错误,錯誤 = error err ; 报错,報錯 = error err raise ; 语法错误,語法錯誤 = syntax_error parse_error
错误信息,错误消息,错误提示,錯誤訊息,錯誤信息,錯誤消息,錯誤提示 = error_message message ; 堆栈跟踪,堆栈信息,堆疊追蹤,堆棧跟蹤,堆棧信息 = stack_trace traceback backtrace
错误处理,錯誤處理 = error_handling error_handler handle_error ; 异常,例外,異常 = exception error throw ; 调试,偵錯,除錯,調試 = debug debugger
异常处理,捕获异常,例外處理,異常處理,捕獲異常 = exception_handler try_catch catch except ; 捕获,捕獲 = catch capture ; 日志,日誌 = log logger logging
崩溃,當機,崩潰 = crash panic ; 卡死,卡住 = hang freeze stuck ; 卡顿,卡頓 = jank lag stutter ; 断点续传,续传,斷點續傳,續傳 = resume resumable range
故障 = failure fault outage ; 失败,失敗 = fail failure failed ; 成功 = success succeed ; 断言,判斷提示,斷言 = assert assertion expect
警告 = warning warn ; 告警,报警,警報,報警 = alert alarm ; 致命错误,致命錯誤 = fatal ; 内存溢出,内存不足,記憶體不足,內存溢出,內存不足 = oom out_of_memory memory
类型错误,類型錯誤 = type_error typeerror ; 内存泄漏,内存泄露,記憶體洩漏,內存洩漏,內存洩露 = memory_leak leak ; 性能分析,效能分析 = profile profiler profiling
溢出,溢位 = overflow ; 泄漏,泄露,洩漏,洩露 = leak ; 调试器,偵錯工具,除錯器,調試器 = debugger debug ; 埋点,埋點 = track tracking analytics telemetry
断点,中斷點,斷點 = breakpoint ; 单步执行,單步執行 = step ; 诊断,診斷 = diagnose diagnostic ; 健康检查,健康檢查 = health healthcheck health_check
修复,修正,修復 = fix repair ; 补丁,修補程式,補丁 = patch ; 回归,迴歸,回歸 = regression ; 链路追踪,调用链,分布式追踪,鏈路追蹤,調用鏈,分布式追蹤 = trace tracing span
日志级别,日志等级,日誌級別,日誌等級 = log_level level verbosity ; 日志文件,日誌文件 = log_file logfile log ; 监控,監視,監控 = monitor monitoring watch
访问日志,訪問日誌 = access_log ; 审计,稽核,審計 = audit ; 打印,列印 = print log dump ; 子进程,子行程,子進程 = child_process subprocess spawn fork
输出,輸出 = output print emit out ; 输入,輸入 = input enter ; 标准输出,標準輸出 = stdout ; 标准输入,標準輸入 = stdin ; 追踪,跟踪,追蹤,跟蹤 = trace track
标准错误,標準錯誤 = stderr ; 监控指标,度量,監控指標 = metric metrics gauge ; 遥测,遙測 = telemetry ; 线程池,執行緒池,線程池 = thread_pool executor pool
采样,採樣 = sample sampling sampler ; 性能,效能 = performance perf ; 性能测试,压测,压力测试,性能測試,壓測,壓力測試 = benchmark load_test stress
基准测试,跑分,基準測試 = benchmark bench ; 瓶颈,瓶頸 = bottleneck ; 吞吐量,吞吐 = throughput ; 多线程,多執行緒,多線程 = thread multithread threading
延迟,延时,延遲,延時 = latency delay lag ; 耗时,用时,耗時,用時 = elapsed duration cost ; 分布式锁,分布式鎖 = distributed_lock redlock lock
统计,統計 = statistics stats count ; 计数器,計數器 = counter count ; 计数,計數 = count counter ; 悲观锁,悲觀鎖 = pessimistic_lock for_update
心跳 = heartbeat keepalive ping ; 看门狗,看門狗 = watchdog ; 仪表盘,仪表板,儀表板,儀表盤 = dashboard ; 协程,協程 = coroutine goroutine async
线程,執行緒,線程 = thread ; 主线程,主執行緒,主線程 = main_thread ; 工作线程,工作執行緒,工作線程 = worker thread ; 乐观锁,樂觀鎖 = optimistic_lock version
守护线程,守護線程 = daemon_thread daemon ; 进程,行程,處理程序,進程 = process ; 父进程,父進程 = parent_process ppid ; 进程池,進程池 = process_pool pool
守护进程,常駐程式,守護進程 = daemon ; 多进程,多進程 = multiprocessing process fork ; 僵尸进程,僵屍進程 = zombie ; 读写锁,讀寫鎖 = rwlock read_write_lock
进程间通信,進程間通信 = ipc pipe ; 事件循环,事件迴圈,事件循環 = event_loop ; 微任务,微任務 = microtask ; 定时器,计时器,定時器,計時器 = timer settimeout interval
宏任务,宏任務 = macrotask ; 锁,鎖 = lock mutex ; 互斥锁,互斥,互斥鎖 = mutex lock ; 自旋锁,自旋鎖 = spinlock spin ; 挂起,暂停,掛起,暫停 = suspend pause
死锁,死鎖 = deadlock ; 活锁,活鎖 = livelock ; 加锁,上锁,加鎖,上鎖 = lock acquire ; 解锁,解鎖 = unlock release ; 上下文切换,上下文切換 = context_switch
锁定,鎖定 = lock locked ; 信号量,號誌,信號量 = semaphore ; 条件变量,條件變量 = condition_variable condvar ; 恢复,恢復 = resume restore recover
信号,訊號,信號 = signal ; 信号处理,信號處理 = signal_handler sigterm sigint ; 定时任务,计划任务,排程工作,定時任務,計劃任務 = cron schedule scheduled_task
竞态,竞态条件,竞争条件,競爭條件,競態,競態條件 = race race_condition ; 临界区,臨界區 = critical_section ; 调度,排程,調度 = schedule scheduler dispatch
上下文 = context ctx ; 屏障 = barrier ; 通道 = channel ; 管道,管線 = pipe pipeline ; 内存管理,內存管理 = memory_management allocator
调度器,排程器,調度器 = scheduler dispatcher ; 抢占,搶佔 = preempt preemptive ; 优先级,優先順序,優先級 = priority ; 终止,終止 = terminate kill abort
任务,工作任务,任務,工作任務 = task job ; 后台任务,背景工作,後台任務 = background job worker ; 轮询,輪詢 = poll polling ; 内存映射,內存映射 = mmap memory_map
长轮询,長輪詢 = long_poll ; 等待 = wait await ; 休眠,睡眠 = sleep ; 唤醒,喚醒 = wake notify wakeup ; 共享内存,共用記憶體,共享內存 = shared_memory shm
中断,中斷 = interrupt abort ; 杀死,强制结束,殺死,強制結束 = kill ; 退出 = exit quit logout ; 垃圾回收,垃圾收集,記憶體回收 = gc garbage garbage_collect
退出码,退出碼 = exit_code status ; 优雅退出,优雅关闭,优雅停机,優雅退出,優雅關閉,優雅停機 = graceful_shutdown graceful shutdown ; 缓冲区,緩衝區 = buffer buf
启动,啟動 = start boot launch startup ; 重启,重啟 = restart reboot ; 停止 = stop halt ; 深拷贝,深复制,深拷貝,深複製 = deep_copy deepcopy clone
关闭,關閉 = close shutdown ; 打开,打開 = open ; 执行,執行 = execute exec run ; 运行,運行 = run execute ; 浅拷贝,淺拷貝 = shallow_copy shallow
运行时,執行階段,執行期,運行時 = runtime ; 编译时,編譯期,編譯時 = compile_time ; 异步任务,異步任務 = async_task task future ; 缓冲,緩衝 = buffer buffering
取消 = cancel abort ; 取消令牌,取消信号,取消信號 = cancellation_token abort_signal cancel ; 内存池,內存池 = memory_pool arena pool
内存,記憶體,內存 = memory mem ; 内存分配,記憶體配置,內存分配 = alloc allocate allocator malloc ; 文件路径,檔案路徑,文件路徑 = file_path filepath path
分配 = allocate alloc assign ; 释放,釋放 = free release dispose ; 缓存穿透,缓存击穿,缓存雪崩,緩存穿透,緩存擊穿,緩存雪崩 = cache_miss stampede
内存占用,内存使用,內存佔用,內存使用 = memory_usage rss footprint ; 虚拟内存,虛擬內存 = virtual_memory ; 文件夹,資料夾,文件夾 = folder directory dir
回收 = reclaim recycle collect ; 缓存,快取,緩存 = cache caching ; 工作目录,工作目錄 = cwd working_directory workdir ; 寄存器,暫存器 = register
缓存失效,缓存过期,快取失效,緩存失效,緩存過期 = cache_invalidation invalidate expire ttl ; 缓存键,緩存鍵 = cache_key ; 零拷贝,零拷貝 = zero_copy sendfile
本地缓存,本地緩存 = local_cache cache ; 命中率 = hit_rate ratio ; 预热,預熱 = warmup warm prewarm ; 文件类型,文件類型 = mime file_type mimetype
预取,预加载,預取,預加載 = prefetch preload ; 拷贝,复制,複製,拷貝 = copy clone ; 克隆 = clone ; 文件上传,上传文件,檔案上傳,文件上傳,上傳文件 = upload multipart
字节,位元組,字節 = byte bytes ; 字节序,字節序 = endian byte_order ; 字节码,字節碼 = bytecode ; 绝对路径,絕對路徑 = absolute_path absolute resolve
位运算,位元運算,位運算 = bitwise bit ; 移位 = shift ; 位图,位圖 = bitmap ; 掩码,遮罩,掩碼 = mask ; 磁盘空间,磁盤空間 = disk_space disk_usage quota
对齐,對齊 = align alignment ; 地址 = address addr ; 偏移,偏移量,位移 = offset ; 文件,檔案 = file ; 文件锁,文件鎖 = file_lock flock lockfile
文件名,檔名,檔案名稱 = filename file_name ; 目录,目錄 = directory dir folder ; 当前目录,當前目錄 = cwd ; 相对路径,相對路徑 = relative_path relative
根目录,根目錄 = root ; 主目录,家目录,主目錄,家目錄 = home ; 子目录,子目錄 = subdirectory subdir ; 软链接,符号链接,符號連結,軟鏈接,符號鏈接 = symlink symbolic_link
文件系统,檔案系統,文件系統 = filesystem fs ; 文件描述符 = file_descriptor fd ; 文件句柄,句柄,控制代碼 = handle ; 原子写入,原子寫入 = atomic_write rename
文件监听,文件监控,监听文件,文件監聽,文件監控,監聽文件 = watch watcher watchfile ; 路径,路徑 = path ; 落盘,持久化,落盤 = persist persistence durable flush
路径遍历,目录穿越,目录遍历,路徑遍歷,目錄穿越,目錄遍歷 = path_traversal traversal ; 硬链接,硬鏈接 = hardlink ; 分片上传,分片上傳 = multipart chunk_upload chunk
读取,讀取 = read load ; 写入,寫入 = write ; 读写,讀寫 = read_write io ; 追加,附加 = append ; 压缩包,压缩文件,壓縮檔,壓縮包,壓縮文件 = archive zip tar
刷盘,刷盤 = flush fsync ; 磁盘,磁碟,磁盤 = disk ; 流式,流式传输,流式输出,串流,流式傳輸,流式輸出 = stream streaming ; 十六进制,十六進位,十六進制 = hex hexadecimal
数据流,資料流,數據流 = stream dataflow ; 输入流,輸入流 = input_stream reader ; 输出流,輸出流 = output_stream writer ; 编码,編碼 = encode encoding
字节流,字節流 = byte_stream stream ; 背压,背壓 = backpressure ; 分块,分塊 = chunk chunked ; 上传,上傳 = upload ; 纯文本,純文本 = plain_text text
下载,下載 = download ; 压缩,壓縮 = compress compression gzip zip minify ; 解压,解压缩,解壓縮,解壓 = decompress unzip extract inflate
归档,封存,歸檔 = archive ; 备份,備份 = backup ; 还原,還原 = restore revert ; 快照 = snapshot ; 响应式,響應式 = reactive responsive reactivity
二进制,二進位,二進制 = binary ; 八进制,八進制 = octal ; 十进制,十進制 = decimal ; 进制转换,進制轉換 = radix base ; 换行符转换,換行符轉換 = crlf line_ending eol
文本,純文字 = text ; 解码,解碼 = decode decoder ; 编码器,編碼器 = encoder ; 解码器,解碼器 = decoder ; 乱码,亂碼 = encoding charset mojibake utf8
编解码,编解码器,編解碼,編解碼器 = codec ; 序列化 = serialize serialise marshal dump ; 长连接,長連接 = keepalive persistent_connection websocket
反序列化,還原序列化 = deserialize unmarshal parse load ; 校验和,總和檢查碼,校驗和 = checksum crc ; 连接超时,連線逾時,連接超時 = connect_timeout timeout
网络,網路,網絡 = network net ; 网络请求,網路請求,網絡請求 = request fetch http ; 请求,請求 = request ; 连接池,連線池,連接集區,連接池 = connection_pool pool
请求头,請求標頭,标头,標頭,請求頭 = header headers ; 请求体,請求主體,請求體 = body payload ; 限流,流量限制,限速 = rate_limit limiter throttle ratelimit
响应,回應,響應 = response respond reply ; 响应头,回應標頭,響應頭 = header response_header ; 熔断,熔断器,斷路器,熔斷,熔斷器 = circuit_breaker breaker
响应体,回應主體,響應體 = body response_body ; 响应码,状态码,狀態碼,響應碼 = status_code status ; 内容协商,內容協商 = content_negotiation accept
响应式布局,响应式设计,響應式設計,響應式佈局 = responsive breakpoint media_query ; 重试次数,最大重试次数,重試次數,最大重試次數 = max_retries retries attempts
响应时间,響應時間 = response_time latency ; 内容类型,內容類型 = content_type mime ; 重定向,重新導向,轉址 = redirect ; 超时,逾時,超時 = timeout deadline
转发,轉送,轉發 = forward proxy ; 代理 = proxy agent ; 反向代理 = reverse_proxy nginx proxy ; 代理模式 = proxy ; 协议,協定,通訊協定,協議 = protocol
网关,閘道,網關 = gateway ; 负载均衡,負載平衡,負載均衡 = load_balance balancer loadbalancer upstream ; 指数退避,退避,指數退避 = backoff exponential
握手,交握 = handshake ; 连接,連線,連接 = connect connection ; 断开连接,断开,斷線,斷開連接,斷開 = disconnect close ; 主机名,主機名稱,主機名 = hostname host
重连,重新连接,断线重连,自动重连,重連,重新連接,斷線重連,自動重連 = reconnect ; 连接数,連接數 = connections max_connections ; 爬虫,爬蟲 = crawler spider scraper
重试,重試 = retry retries ; 降级,降級 = fallback degrade downgrade ; 令牌桶 = token_bucket bucket ; 短链接,短網址,短鏈接 = short_url shorten
漏桶 = leaky_bucket ; 节流,節流 = throttle ; 防抖,防手震 = debounce ; 幂等键,冪等鍵 = idempotency_key ; 跨域,跨網域 = cors cross_origin origin
套接字,通訊端 = socket ; 端口,連接埠,通訊埠 = port ; 端口占用,端口佔用 = eaddrinuse port ; 监听器,侦听器,監聽器,偵聽器 = listener watcher observer
监听,監聽 = listen listener watch ; 主机,主機 = host ; 域名,網域 = domain hostname ; 数据库迁移,資料庫遷移,數據庫遷移 = migration migrate alembic
域名解析 = dns resolve lookup ; 子域名,子網域 = subdomain ; 广播,廣播 = broadcast ; 数据源,資料來源,數據源 = datasource data_source source
数据包,封包,报文,數據包,報文 = packet ; 客户端,用戶端,客戶端 = client ; 服务端,服务器,伺服器,服務端,服務器 = server ; 分页,分頁 = pagination paginate page pager
服务器推送,服務器推送 = server_push sse push ; 带宽,頻寬,帶寬 = bandwidth ; 流量 = traffic ; 流量控制 = flow_control ; 数据集,資料集,數據集 = dataset
抓取 = scrape crawl fetch grab ; 链接,連結,鏈接 = link url href ; 防火墙,防火牆 = firewall ; 数据清洗,資料清理,數據清洗 = clean cleanse preprocess
同源策略 = same_origin origin ; 预检请求,預檢請求 = preflight options ; 游标,游標 = cursor ; 发送邮件,發送郵件 = send_mail sendmail mailer smtp
页码,頁碼 = page_number page ; 每页,每頁 = page_size per_page limit ; 数据校验,数据验证,資料驗證,數據校驗,數據驗證 = validate validation validator
并发数,並發數 = concurrency max_workers ; 邮件,電子郵件,郵件 = mail email smtp ; 邮箱,信箱,郵箱 = email mailbox ; 数据仓库,資料倉儲,數據倉庫 = warehouse
短信,簡訊 = sms ; 推送 = push ; 通知 = notification notify ; 消息,訊息 = message msg ; 假数据,模拟数据,假數據,模擬數據 = mock fake fixture
消息推送,訊息推播 = push_notification push ; 数据库,資料庫,數據庫 = database db ; 数据,資料,數據 = data ; 隔离级别,隔離級別 = isolation_level isolation
数据模型,資料模型,數據模型 = model schema ; 数据表,資料表,數據表 = table ; 数据增强,數據增強 = augmentation augment ; 行号,行號 = line_number lineno line
数据加载,数据加载器,數據加載,數據加載器 = dataloader loader load ; 数据帧,數據幀 = dataframe frame ; 行数,行數 = line_count lines row_count rows
数据类型转换,數據類型轉換 = cast convert astype ; 元数据,中繼資料,詮釋資料,元數據 = metadata meta ; 脏数据,髒數據 = dirty ; 列名,欄位名稱 = column column_name
测试数据,測試數據 = fixture test_data seed ; 种子数据,種子數據 = seed fixture ; 事务,交易處理,事務 = transaction tx ; 回滚,復原,回滾 = rollback revert
分布式事务,分布式事務 = distributed_transaction saga two_phase ; 提交 = commit submit ; 索引 = index idx ; 倒排索引,反向索引 = inverted_index
唯一索引,唯一约束,唯一約束 = unique unique_index constraint ; 自增,自动递增,自動遞增 = auto_increment autoincrement increment
联合索引,复合索引,聯合索引,複合索引 = composite_index compound_index ; 软删除,逻辑删除,軟刪除,邏輯刪除 = soft_delete deleted_at is_deleted
全文检索,全文搜索,全文索引,全文檢索 = full_text fulltext fts search ; 主键,主鍵 = primary_key pk id ; 联表,连表,联表查询,连接查询,聯表,連表,聯表查詢,連接查詢 = join
外键,外鍵 = foreign_key fk ; 约束,條件約束,約束 = constraint ; 迁移,遷移 = migrate migration ; 一对多,一對多 = one_to_many has_many onetomany
表结构,表結構 = schema table ; 建表 = create_table ; 表名 = table_name table ; 关联,關聯 = association relation associate relationship
主从,主从复制,主從,主從複製 = replication replica master slave ; 读写分离,讀寫分離 = replica read_write_split ; 更新 = update refresh upgrade
从库,從庫 = replica slave ; 主库,主庫 = primary master ; 分库分表,分庫分表 = shard sharding ; 销毁,銷毀 = destroy dispose unmount teardown
分片 = shard sharding partition ; 分区,分割區,分區 = partition ; 副本 = replica copy ; 对象存储,對象存儲 = object_storage s3 bucket oss
复制集,複製集 = replica_set ; 查询,查詢 = query select find ; 慢查询,慢查詢 = slow_query ; 子查询,子查詢 = subquery ; 占位符,佔位符 = placeholder
多对多,多對多 = many_to_many manytomany ; 一对一,一對一 = one_to_one ; 关联查询,關聯查詢 = join relation eager ; 预写日志,預寫日誌 = wal write_ahead
级联,級聯 = cascade ; 级联删除,級聯刪除 = cascade on_delete ; 视图,檢視,視圖 = view ; 触发器,觸發器 = trigger ; 实体关系,實體關係 = relationship entity
触发,觸發 = trigger fire emit ; 预编译语句,预处理语句,参数化查询,預編譯語句,預處理語句,參數化查詢 = prepared_statement prepare parameterized ; 插入 = insert
批量,批次 = batch bulk ; 批量插入,批次插入 = bulk_insert batch_insert insert_many ; 批处理,批次處理,批處理 = batch ; 存储,儲存體,存儲 = storage store
删除,刪除 = delete remove ; 移除 = remove delete ; 增删改查,增刪改查 = crud ; 新增 = add create new ; 键值对,鍵值,鍵值對 = key_value kv pair
创建,建立,創建 = create make new ; 保存,儲存 = save store persist ; 存储桶,存儲桶 = bucket ; 仓库,仓储,儲存庫,倉庫,倉儲 = repository repo warehouse
本地存储,本地存儲 = local_storage localstorage ; 分组,群組,分組 = group group_by ; 持久层,数据访问层,持久層,數據訪問層 = dao repository mapper
聚合 = aggregate aggregation ; 求和,总和,總和 = sum total ; 总数,总计,總數,總計 = total count ; 服务端渲染,伺服器端渲染,服務端渲染 = ssr server_render
平均值,平均 = average mean avg ; 最大值 = max maximum ; 最小值 = min minimum ; 中位数,中位數 = median ; 客户端渲染,客戶端渲染 = csr client_render
百分位 = percentile quantile ; 实体,實體 = entity ; 对象关系映射,對象關係映射 = orm ; 函数组件,函數組件 = functional_component component
过期时间,過期時間 = expire ttl expiry expires ; 过期,逾期,過期 = expire expired expiration ; 异步组件,異步組件 = async_component lazy suspense
失效 = invalidate expire invalid ; 组件,元件,組件 = component widget ; 子组件,子元件,子組件 = child component ; 水合,注水 = hydrate hydration
父组件,父元件,父組件 = parent component ; 高阶组件,高階組件 = hoc higher_order ; 插槽 = slot ; 暗黑模式,深色模式,夜间模式,夜間模式 = dark_mode dark theme
渲染,算繪,彩現 = render rendering ; 重新渲染,重渲染 = rerender render ; 虚拟列表,虚拟滚动,虛擬列表,虛擬滾動 = virtual_list virtualize virtual_scroll
静态生成,静态站点,靜態生成,靜態站點 = static_site ssg ; 无限滚动,無限滾動 = infinite_scroll ; 样式,樣式 = style css ; 下拉菜单,下拉選單,下拉菜單 = dropdown menu
样式表,樣式表 = stylesheet css ; 布局,版面配置,佈局 = layout ; 网格,格線,網格 = grid mesh ; 栅格,柵格 = grid ; 导航,導航 = navigation navigate nav
居中,置中 = center centered ; 内边距,內邊距 = padding ; 外边距,外邊距 = margin ; 边框,框線,邊框 = border ; 导航栏,導覽列,導航欄 = navbar navigation nav
阴影,陰影 = shadow ; 背景色,背景颜色,背景顏色 = background bgcolor ; 背景 = background ; 颜色,顏色 = color colour ; 路由 = route router routing
透明度 = opacity alpha ; 透明 = transparent alpha ; 字体,字型,字體 = font typeface ; 弹窗,弹框,對話框,对话框,彈窗,彈框 = modal dialog popup
字号,字体大小,字號,字體大小 = font_size ; 图标,圖示,圖標 = icon ; 图片,圖像,圖片 = image img picture ; 弹出层,气泡,彈出層,氣泡 = popover popup overlay
缩略图,縮圖,縮略圖 = thumbnail ; 头像,頭像 = avatar ; 主题,主題 = theme topic ; 路由守卫,导航守卫,路由守衛,導航守衛 = guard navigation_guard before_each
路由器 = router ; 面包屑,麵包屑 = breadcrumb ; 菜单,選單,功能表,菜單 = menu ; 表单验证,表单校验,表單驗證,表單校驗 = form_validation validate validator
下拉框,下拉列表 = dropdown select combobox ; 选择器,選擇器 = selector picker ; 侧边栏,侧栏,側邊欄,側欄 = sidebar ; 全选,全選 = select_all check_all
抽屉,抽屜 = drawer ; 工具栏,工具列,工具欄 = toolbar ; 状态栏,狀態列,狀態欄 = statusbar status_bar ; 遮罩层,蒙层,遮罩層,蒙層 = mask overlay backdrop
标签页,选项卡,分頁標籤,標籤頁,選項卡 = tab tabs ; 标签,標籤 = tag label ; 标题,標題 = title heading header caption ; 首页,主页,首頁,主頁 = home homepage
段落 = paragraph ; 页脚,頁尾,頁腳 = footer ; 页面,網頁,頁面 = page ; 网站,網站 = site website ; 输入框,文字框,輸入框 = input textfield textbox
站点地图,站點地圖 = sitemap ; 提示框,工具提示 = tooltip alert ; 提示 = hint tip prompt ; 提示词,提示詞 = prompt ; 多选,多選 = multiple multi_select
加载,加載 = load loading ; 加载中,加載中 = loading spinner ; 骨架屏 = skeleton ; 进度条,進度列,進度條 = progress_bar progressbar progress
进度,進度 = progress ; 表单,表單 = form ; 文本框,文本域 = textarea textbox ; 电子表格,试算表,電子表格,試算表 = spreadsheet excel sheet ; 卡片 = card
搜索框 = search_box searchbar search ; 复选框,核取方塊,複選框 = checkbox ; 单选,單選 = single radio ; 时间轴,时间线,時間軸,時間線 = timeline
选中,勾选,選中,勾選 = checked selected select ; 开关,開關 = switch toggle ; 切换,切換 = toggle switch ; 评分,評分 = rating rate score
滑块,滑塊 = slider ; 日期选择器,日期選擇器 = date_picker datepicker ; 按钮,按鈕 = button btn ; 表格 = table grid ; 点击,點擊 = click tap press
表头,表頭 = header thead ; 表尾 = footer tfoot ; 单元格,儲存格,單元格 = cell ; 工作表 = sheet worksheet ; 自定义事件,自定義事件 = custom_event emit
工作簿 = workbook ; 轮播,轮播图,輪播,輪播圖 = carousel swiper slider ; 快捷键,热键,快速鍵,快捷鍵,熱鍵 = shortcut hotkey keybinding ; 悬停,懸停 = hover
折叠,收起,摺疊,折疊 = collapse fold accordion ; 展开,展開 = expand unfold ; 面板 = panel pane ; 事件总线,事件總線 = event_bus emitter eventbus
滚动,捲動,滾動 = scroll ; 滚动条,捲軸,滾動條 = scrollbar ; 拖拽,拖放,拖动,拖動 = drag drop draggable dnd ; 双向绑定,雙向綁定 = v_model two_way binding
悬浮,懸浮 = float hover ; 焦点,聚焦,焦點 = focus ; 失焦 = blur ; 模糊 = blur fuzzy ; 键盘,鍵盤 = keyboard key ; 动画,動畫 = animation animate
鼠标,滑鼠,鼠標 = mouse cursor ; 光标,光標 = cursor caret ; 手势,手勢 = gesture ; 触摸,觸控,觸摸 = touch ; 状态管理,狀態管理 = store state redux vuex
事件 = event ; 事件监听,事件监听器,事件監聽,事件監聽器 = event_listener listener addeventlistener ; 事件委托,委托,委派,事件委託,委託 = delegate delegation
事件处理,事件處理 = event_handler handler ; 处理器,处理函数,處理常式,處理器,處理函數 = handler processor ; 指令 = directive instruction command
事件冒泡,冒泡 = bubble propagation ; 派发,派發 = dispatch emit ; 状态,狀態 = state status ; 截图,截屏,螢幕擷取,截圖 = screenshot capture
状态机,狀態機 = state_machine fsm ; 副作用 = effect side_effect ; 绑定,繫結,綁定 = bind binding ; 本地化,在地化 = l10n localization locale
差异对比,差异,差異對比,差異 = diff difference ; 挂载,掛載 = mount mounted ; 卸载,卸載 = unmount uninstall unload ; 富文本 = rich_text richtext
过渡,過渡 = transition ; 缓动,緩動 = easing ease ; 关键帧,關鍵幀 = keyframe ; 画布,畫布 = canvas ; 验证码,驗證碼 = captcha verification_code otp
全屏,全螢幕 = fullscreen ; 屏幕,螢幕 = screen ; 窗口,視窗 = window ; 视口,視口 = viewport ; 浏览器,瀏覽器 = browser ; 折线图,折線圖 = line_chart line
浏览器缓存,瀏覽器緩存 = browser_cache cache_control etag ; 剪贴板,剪貼簿,剪貼板 = clipboard ; 粘贴,貼上,粘貼 = paste ; 查找,尋找 = find search lookup
剪切 = cut clip ; 撤销,撤銷 = undo revoke ; 重做 = redo ; 编辑器,編輯器 = editor ; 预览,預覽 = preview ; 无障碍,無障礙 = accessibility a11y aria
国际化,多语言,國際化,多語言 = i18n internationalization locale ; 翻译,翻譯 = translate translation i18n ; 自适应,自適應 = responsive adaptive
移动端,行動裝置,移動端 = mobile ; 媒体查询,媒體查詢 = media_query ; 小程序 = miniprogram weapp ; 热更新,热替换,热重载,熱更新,熱替換,熱重載 = hmr hot_reload hot
前端 = frontend web client ; 后端,後端 = backend server ; 全栈,全棧 = fullstack ; 可视化,視覺化,可視化 = visualization visualize plot chart
微前端 = micro_frontend qiankun ; 元素 = element elem ; 水印,浮水印 = watermark ; 二维码,二維碼 = qrcode qr ; 图表,圖表 = chart graph plot
条形码,条码,條形碼,條碼 = barcode ; 地图,地圖 = map ; 柱状图,直方图,長條圖,柱狀圖,直方圖 = bar_chart histogram bar ; 扩展,擴充功能,擴充,擴展 = extension extend
流程图,流程圖 = flowchart diagram ; 搜索,搜尋 = search find ; 搜索引擎,搜尋引擎 = search_engine elasticsearch ; 缩容,縮容 = scale_down shrink
检索,檢索 = retrieve retrieval search ; 过滤,过滤器,筛选,過濾,過濾器,篩選 = filter ; 高亮 = highlight ; 联想,搜索建议,聯想,搜索建議 = suggestion suggest
自动补全,自动完成,自動補全,自動完成 = autocomplete completion complete ; 中间件,中介軟體,中介層,中間件 = middleware ; 微服务,微服務 = microservice service
拦截器,攔截器 = interceptor ; 拦截,攔截 = intercept ; 控制器 = controller ; 服务层,服務層 = service ; 模板引擎,樣板引擎 = template_engine template
业务逻辑,商業邏輯,業務邏輯 = business_logic service ; 服务发现,服務發現 = service_discovery discovery consul ; 服务注册,服務註冊 = registry register
注册中心,註冊中心 = registry nacos eureka ; 配置中心 = config_center nacos apollo ; 远程调用,远程过程调用,遠程調用,遠程過程調用 = rpc grpc remote
服务网格,服務網格 = service_mesh istio ; 远程,遠程 = remote ; 调用者,调用方,調用者,調用方 = caller ; 被调用,被調用 = callee ; 消费,消費 = consume consumer
接口文档,接口文檔 = swagger openapi ; 端点,端點 = endpoint ; 模板,範本,樣板 = template ; 责任链,責任鏈 = chain_of_responsibility chain
插件,外掛,外掛程式 = plugin addon extension ; 扩容,擴容 = scale grow resize expand ; 适配器,配接器,適配器 = adapter ; 领域驱动,領域驅動 = ddd domain
适配,適配 = adapt adapter ; 观察者,观察者模式,觀察者,觀察者模式 = observer observable subscribe ; 编排,編排 = orchestrate orchestration compose
发布订阅,發佈訂閱 = pubsub publish subscribe ; 订阅,訂閱 = subscribe subscription ; 共识,共识算法,共識,共識算法 = consensus raft paxos
取消订阅,退订,取消訂閱,退訂 = unsubscribe ; 发布,發布,發佈 = publish release ; 发布者,發佈者 = publisher ; 选举,选主,選舉,選主 = election elect leader
订阅者,訂閱者 = subscriber ; 生产者,生產者 = producer ; 消费者,消費者 = consumer ; 策略模式 = strategy ; 云函数,无服务器,雲函數,無服務器 = serverless lambda
策略 = policy strategy ; 建造者,建造者模式 = builder ; 外观模式,门面,外觀模式,門面 = facade ; 访问者,訪問者 = visitor ; 虚拟环境,虛擬環境 = virtualenv venv
命令模式 = command ; 设计模式,設計模式 = design_pattern pattern ; 领域模型,領域模型 = domain model ; 容错,容錯 = fault_tolerance fault_tolerant
值对象,值對象 = value_object ; 传输对象,傳輸對象 = dto ; 架构,架構 = architecture ; 框架 = framework ; 注册,註冊 = register signup registration
脚手架,腳手架 = scaffold boilerplate cli ; 容器 = container ; 镜像,映像檔,鏡像 = image mirror ; 用户信息,用戶信息 = user_info profile userinfo
集群,叢集 = cluster ; 分布式,分散式 = distributed ; 领导者,領導者 = leader ; 跟随者,跟隨者 = follower ; 注销,註銷 = logout unregister deregister
主节点,主節點 = master leader primary ; 从节点,從節點 = slave replica follower ; 脑裂,腦裂 = split_brain ; 多租户,多租戶 = multi_tenant tenant
最终一致性,最終一致性 = eventual_consistency eventual ; 强一致性,強一致性 = strong_consistency linearizable ; 登录,登入,登錄 = login signin auth
两阶段提交,兩階段提交 = two_phase_commit ; 故障转移,故障切换,故障轉移,故障切換 = failover ; 弹性伸缩,自动扩缩容,彈性伸縮,自動擴縮容 = autoscale autoscaler hpa
雪花算法 = snowflake ; 虚拟机,虛擬機器,虛擬機 = vm virtual_machine ; 沙箱,沙盒 = sandbox ; 租户,租用戶,租戶 = tenant ; 账单,帳單,賬單 = bill billing
灰度发布,灰度,金丝雀,灰度發佈,金絲雀 = canary gray rollout ; 蓝绿部署,藍綠部署 = blue_green ; 认证,驗證身分,認證 = authenticate authentication auth
滚动更新,滾動更新 = rolling_update rollout ; 功能开关,特性开关,功能開關,特性開關 = feature_flag toggle ; 权限,許可權,權限 = permission privilege access
登出,退出登录,退出登錄 = logout signout ; 单点登录,單一登入,單點登錄 = sso ; 第三方登录,第三方登錄 = oauth social_login ; 个人资料,个人信息,個人資料,個人信息 = profile
用户,使用者,用戶 = user ; 用户名,使用者名稱,用戶名 = username user_name ; 游客,访客,遊客,訪客 = guest visitor ; 未授权,未登录,未授權,未登錄 = unauthorized 401
匿名 = anonymous ; 管理员,管理員 = admin administrator ; 超级管理员,超级用户,超級管理員,超級用戶 = superuser root admin ; 解密 = decrypt decryption
账号,账户,帳號,帳戶,賬號,賬戶 = account ; 密码,密碼 = password passwd pwd ; 身份验证,身份认证,身分驗證,身份驗證,身份認證 = authentication authenticate auth
密码重置,重置密码,找回密码,密碼重置,重置密碼,找回密碼 = reset_password password_reset forgot ; 数字签名,數位簽章,數字簽名 = digital_signature signature
忘记密码,忘記密碼 = forgot_password ; 鉴权,鑑權 = auth authorize authentication ; 访问控制,存取控制,訪問控制 = access_control acl rbac
授权,授權 = authorize authorization grant ; 双因素认证,两步验证,多因素认证,雙因素認證,兩步驗證,多因素認證 = two_factor mfa totp otp ; 加盐,盐值,加鹽,鹽值 = salt
权限校验,权限检查,權限校驗,權限檢查 = check_permission permission authorize ; 权限不足,无权限,權限不足,無權限 = forbidden permission_denied 403
访问令牌,存取權杖,訪問令牌 = access_token token ; 刷新令牌,重新整理權杖 = refresh_token ; 令牌,权杖,權杖 = token ; 方法签名,函数签名,方法簽名,函數簽名 = signature
角色 = role ; 会话,工作階段,會話 = session ; 凭证,凭据,認證資訊 = credential credentials ; 集成测试,整合測試,集成測試 = integration_test integration
加密 = encrypt encryption cipher crypto ; 加解密 = crypto encrypt decrypt ; 敏感信息,敏感数据,敏感資訊,敏感數據 = sensitive secret pii
对称加密,對稱加密 = symmetric aes ; 非对称加密,非對稱加密 = asymmetric rsa ; 端到端加密 = e2ee end_to_end ; 单元测试,單元測試 = unit_test unittest test
签名,簽章,簽名 = signature sign ; 验签,签名验证,签名校验,驗簽,簽名驗證,簽名校驗 = verify_signature verify ; 证书,憑證,證書 = certificate cert credential
摘要 = digest summary abstract ; 密钥,金鑰,密鑰 = key secret ; 公钥,公鑰 = public_key ; 脱敏,去识别化,脫敏,去識別化 = mask redact desensitize
私钥,私鑰 = private_key ; 明文 = plaintext ; 黑名单,黑名單 = blacklist blocklist denylist ; 测试用例,測試案例,測試用例 = test_case testcase spec
白名单,白名單 = whitelist allowlist ; 漏洞,弱點 = vulnerability exploit ; 攻击,攻擊 = attack ; 参数化测试,參數化測試 = parametrize parameterized
注入 = inject injection ; 跨站脚本,跨站腳本 = xss sanitize ; 跨站请求伪造,跨站請求偽造 = csrf xsrf ; 代码分割,代碼分割 = code_splitting split_chunks
重放攻击,防重放,重放攻擊 = replay nonce ; 暴力破解 = brute_force ; 敏感词,敏感詞 = sensitive_word profanity ; 摇树,搖樹 = tree_shaking treeshake
隐私,隱私 = privacy private ; 测试,測試 = test ; 端到端测试,端到端測試 = e2e end_to_end ; 压缩代码,代码压缩,壓縮代碼,代碼壓縮 = minify uglify terser
冒烟测试,冒煙測試 = smoke_test smoke ; 模糊测试,模糊測試 = fuzz fuzzing ; 测试套件,測試套件 = test_suite suite ; 目标文件,目標文件 = object_file target
测试覆盖率,覆盖率,涵蓋率,測試覆蓋率,覆蓋率 = coverage ; 测试夹具,夹具,測試夾具,夾具 = fixture ; 动态链接库,动态库,共享库,動態鏈接庫,動態庫,共享庫 = shared_library dll dylib
测试替身,測試替身 = test_double stub mock ; 模拟,模擬 = mock simulate emulate ; 桩函数,打桩,樁函數,打樁 = stub ; 头文件,標頭檔,頭文件 = header include
期望,预期,預期 = expect expected ; 跳过,跳過 = skip ; 编译,編譯 = compile compilation ; 编译器,編譯器 = compiler ; 构建工具,構建工具 = build bundler
交叉编译,交叉編譯 = cross_compile target ; 即时编译,即時編譯 = jit ; 预编译,預編譯 = precompile aot ; 产物,构建产物,產物,構建產物 = artifact output dist
转译,轉譯 = transpile transpiler babel ; 反编译,反編譯 = decompile ; 构建,建置,構建 = build ; 配置文件,配置檔,設定檔 = config config_file settings
打包 = bundle pack package ; 打包工具,打包器 = bundler webpack rollup ; 打包体积,打包體積 = bundle_size ; 版本控制 = version_control git vcs
混淆 = obfuscate mangle ; 源码映射,源碼映射 = source_map sourcemap ; 链接器,鏈接器 = linker ; 设置,设定,設置,設定 = set setting settings config
静态库,靜態庫 = static_library archive ; 源文件,原始檔 = source ; 可执行文件,執行檔,可執行文件 = executable binary ; 测试环境,測試環境 = staging test_env
安装,安裝 = install setup ; 安装包,安裝程式,安裝包 = installer package ; 升级,升級 = upgrade update ; 依赖管理,依賴管理 = dependency dependencies
版本,版本号,版號,版本號 = version ; 语义化版本,語義化版本 = semver ; 持续部署,持续交付,持續部署,持續交付 = continuous_deployment deploy delivery
持续集成,持續整合,持續集成 = ci continuous_integration workflow ; 流水线,流水線 = pipeline ; 代码生成,代碼生成 = codegen generate code_generation
部署 = deploy deployment ; 上线,上線 = deploy release online ; 环境,環境 = environment env ; 生产环境,线上环境,生產環境,線上環境 = production prod
开发环境,開發環境 = development dev ; 配置,組態 = config configuration configure ; 合并请求,拉取请求,合併請求,拉取請求 = pull_request merge_request
配置项,设置项,配置項,設置項 = option setting config ; 选项,選項 = option options ; 命令行,命令列 = cli command_line ; 终端,終端機,終端 = terminal tty
命令,指令行 = command cmd ; 子命令 = subcommand ; 脚本,指令碼,腳本 = script ; 控制台,主控台 = console ; 语法树,抽象语法树,語法樹,抽象語法樹 = ast syntax_tree
交互式,互動式 = interactive repl prompt ; 帮助信息,幫助信息 = help usage ; 锁文件,鎖文件 = lockfile lock ; 词元,词法单元,詞元,詞法單元 = token tokenize
工作区,工作區 = workspace ; 单体仓库,單體倉庫 = monorepo workspace ; 任务运行器,任務運行器 = task_runner ; 分词,斷詞,分詞 = tokenize tokenizer segment
代码检查,代码规范,静态检查,代碼檢查,代碼規範,靜態檢查 = lint linter eslint ; 静态分析,靜態分析 = static_analysis analyzer lint ; 反射 = reflection reflect
代码格式化,格式化,代碼格式化 = format formatter prettier ; 代码审查,代码评审,代碼審查,代碼評審 = code_review review ; 变更日志,更新日志,變更日誌,更新日誌 = changelog
代码片段,代碼片段 = snippet ; 重构,重構 = refactor ; 冲突,衝突 = conflict collision ; 变基,變基 = rebase ; 语义分析,語義分析 = semantic analysis
暂存区,暫存區 = staging staged ; 提交信息,提交记录,提交記錄 = commit_message commit ; 子模块,子模塊 = submodule ; 惰性求值 = lazy_evaluation lazy
许可证,授權條款,許可證 = license ; 文档,說明文件,文檔 = document docs documentation ; 中间代码,中间表示,中間代碼,中間表示 = ir intermediate_representation
词法分析,词法分析器,词法,詞法分析,詞法分析器,詞法 = lexer tokenizer lex scanner ; 优化,最佳化,優化 = optimize optimise optimization ; 符号,符號 = symbol
语法分析,语法分析器,語法分析,語法分析器 = parser parse ; 语法,語法 = syntax grammar ; 语义,語義 = semantic ; 星期,星期几,星期幾 = weekday day_of_week week
分词器,分詞器 = tokenizer ; 符号表,符號表 = symbol_table ; 优化器,最佳化工具,優化器 = optimizer ; 死代码,死代碼 = dead_code ; 控制流 = control_flow cfg
解释器,直譯器,解釋器 = interpreter ; 汇编,組合語言,匯編 = assembly asm ; 反汇编,反匯編 = disassemble ; 结束时间,截止时间,結束時間,截止時間 = end_time deadline
运算符优先级,運算符優先級 = precedence operator ; 元编程,元編程 = metaprogramming metaclass ; 元类,元類 = metaclass ; 函数式编程,函數式編程 = functional
特征,特徵 = feature trait ; 混入 = mixin ; 柯里化 = curry ; 尾递归,尾遞歸 = tail_recursion tail_call ; 本地时间,本地時間 = local_time localtime
记忆化,記憶化 = memoize memo memoization ; 求值 = evaluate eval ; 短路 = short_circuit ; 相对时间,相對時間 = relative_time ago humanize
切面,面向切面 = aspect aop ; 日期 = date ; 时间,時間 = time ; 日期时间,日期時間 = datetime ; 创建时间,建立時間,創建時間 = created_at create_time ctime
时间戳,時間戳記,時間戳 = timestamp ; 时区,時區 = timezone tz ; 夏令时,日光節約,夏令時 = dst daylight ; 小数点,小数位,小數點,小數位 = decimal precision scale
日历,行事曆,日曆 = calendar ; 工作日 = workday business_day weekday ; 节假日,假期,節假日 = holiday ; 数量,數量 = quantity count amount number
毫秒 = millisecond ms millis ; 微秒 = microsecond ; 纳秒,納秒 = nanosecond nanos ; 倒计时,倒計時 = countdown ; 精度 = precision accuracy
时长,持续时间,時長,持續時間 = duration ; 时间间隔,间隔,時間間隔,間隔 = interval gap ; 更新时间,修改时间,更新時間,修改時間 = updated_at update_time mtime
时间范围,日期范围,時間範圍,日期範圍 = date_range time_range range ; 开始时间,起始时间,開始時間,起始時間 = start_time begin started_at ; 矩阵,矩陣 = matrix
截止日期 = deadline due_date ; 时钟,時鐘 = clock ; 时间格式,日期格式,時間格式 = date_format strftime format ; 数字,數字 = number digit numeric
数值,數值 = number numeric value ; 金额,金額 = amount money price ; 百分比 = percent percentage ; 插值算法,线性插值,線性插值 = lerp interpolate
小数,小數 = decimal fraction ; 精度丢失,精度丟失 = precision floating decimal ; 四舍五入,四捨五入 = round rounding ; 取整 = round floor trunc
向上取整 = ceil ; 向下取整 = floor ; 取余,取模,餘數,取餘 = modulo mod remainder ; 绝对值,絕對值 = abs absolute ; 捕获组,捕獲組 = capture_group group
大数,大整数,大數,大整數 = bigint bignum biginteger ; 除零,除以零 = division_by_zero zero_division ; 矩阵乘法,矩陣乘法 = matmul matrix_multiply
对数,對數 = log logarithm ; 指数,指數 = exponent exponential ; 幂运算,次方,冪運算 = pow power ; 向量 = vector ; 比较,比較 = compare comparison
转置,轉置 = transpose ; 标准差,標準差 = std stddev standard_deviation ; 方差,變異數 = variance ; 正态分布,常態分布,高斯分布,正態分布 = gaussian normal
概率,機率 = probability prob ; 分布 = distribution ; 范围,範圍 = range scope ; 区间,區間 = interval range ; 比对,比對 = compare diff match
边界,邊界 = boundary bound edge border ; 边界情况,边界条件,邊界情況,邊界條件 = edge_case corner_case ; 校验规则,验证规则,校驗規則,驗證規則 = rule validator
上限 = max upper_limit cap limit ; 下限 = min lower_limit ; 阈值,臨界值,閾值 = threshold ; 校验,校驗 = validate verify check validation
单位换算,单位转换,單位換算,單位轉換 = unit convert conversion ; 单位,單位 = unit ; 正则,正则表达式,正規表示式,正規表達式,正則,正則表達式 = regex regexp pattern
截断,截斷 = truncate truncation cut ; 截取 = substring slice substr ; 裁剪,裁切 = crop clip trim ; 拼接,串接 = concat concatenate join
去空格,去除空格 = trim strip ; 中文 = chinese cjk ; 英文 = english ; 分割,切分 = split segment ; 拆分 = split ; 缩放,縮放 = scale zoom resize
替换,取代,替換 = replace substitute ; 反转,翻转,反轉,翻轉 = reverse invert flip ; 识别,辨識,識別 = recognize detect identify recognition
相等,判等 = equal equals equality ; 排除 = exclude except ; 包含 = contain include contains ; 验证,驗證 = validate verify validation
交换,交換 = swap exchange ; 旋转,旋轉 = rotate rotation ; 平移 = translate pan ; 放大 = zoom_in enlarge ; 清空 = clear empty truncate
缩小,縮小 = zoom_out shrink ; 验证器,校验器,驗證器,校驗器 = validator ; 检查,檢查 = check inspect ; 解析,剖析 = parse parser parsing resolve
检测,檢測 = detect detection ; 解析器,剖析器 = parser ; 合并,合併 = merge combine ; 禁止 = forbid forbidden prohibit disable
刷新,重新整理 = refresh reload flush ; 重新加载,重新加載 = reload ; 清理,清除 = clean cleanup clear purge ; 跳转,跳轉 = jump redirect navigate
转换,轉換 = convert transform conversion ; 转换器,轉換器 = converter transformer ; 转化率,轉化率 = conversion_rate conversion
生成,產生 = generate generator create ; 获取,取得,獲取 = fetch get obtain retrieve ; 汇总,匯總 = summary aggregate summarize
提取,抽取,擷取 = extract extraction ; 收集 = collect gather collector ; 传输,傳輸 = transfer transmit transport ; 长度,長度 = length len
修改,變更 = modify edit update change ; 编辑,編輯 = edit editor ; 重命名,改名,重新命名 = rename ; 移动,移動 = move ; 传递,傳遞 = pass propagate
返回 = return back ; 回退 = fallback rollback back ; 忽略 = ignore ; 重置,重設 = reset ; 最大长度,最大長度 = max_length maxlength
重建 = rebuild recreate ; 复用,重用,複用 = reuse ; 共享,共用 = share shared ; 分享 = share ; 最小长度,最小長度 = min_length minlength
隔离,隔離 = isolate isolation ; 限制 = limit restrict constraint ; 限额,配额,限額,配額 = quota limit ; 累加 = accumulate sum accumulator
允许,允許 = allow permit ; 拒绝,拒絕 = reject deny refuse ; 接受 = accept ; 接收 = receive recv ; 预处理,預處理 = preprocess preprocessing
发送,傳送,發送 = send ; 透传,透傳 = passthrough forward ; 深度 = depth ; 层级,階層,層級 = level hierarchy ; 计算,計算 = compute calculate calc
宽度,寬度 = width ; 高度 = height ; 大小 = size ; 尺寸 = size dimension ; 容量 = capacity ; 名称,名稱 = name ; 加权,加權 = weighted weight
别名,別名 = alias ; 昵称,暱稱 = nickname ; 描述 = description desc ; 备注,備註 = remark note comment ; 排行榜 = leaderboard ranking rank
内容,內容 = content ; 累积,累積 = accumulate cumulative ; 递增,遞增 = increment increase ; 增量更新 = incremental_update delta patch
递减,遞減 = decrement decrease ; 增量 = incremental delta increment ; 全量 = full ; 推荐,推薦 = recommend recommendation recommender
后处理,後處理 = postprocess ; 归一化,标准化,正規化,歸一化,標準化 = normalize normalization standardize ; 图像处理,圖像處理 = image_processing image
规范化,規範化 = normalize canonical ; 范式,範式 = normal_form paradigm ; 同步数据,数据同步,同步數據,數據同步 = sync synchronize replicate
采集,採集 = collect capture collector ; 广告,廣告 = advertisement advert ; 评估,評估 = evaluate evaluation ; 图形,圖形 = graphics shape
排名 = rank ranking ; 权重,權重 = weight ; 得分,分数,分數 = score ; 命中 = hit match ; 候选,候選 = candidate ; 抽象 = abstract abstraction
阶段,階段 = stage phase ; 步骤,步驟 = step ; 流程 = flow workflow ; 工作流 = workflow ; 宽高比,纵横比,长宽比,寬高比,縱橫比,長寬比 = aspect_ratio aspect
审批,審批 = approval approve ; 审核,審核 = review audit moderate ; 驳回,駁回 = reject ; 经纬度,經緯度 = latitude longitude latlng geo
转账,轉帳,轉賬 = transfer ; 粒度 = granularity ; 冗余,冗餘 = redundant redundancy ; 占用,佔用 = occupy usage ; 顶点,頂點 = vertex vertices
空闲,閒置,空閒 = idle ; 繁忙 = busy ; 活跃,活躍 = active ; 在线,在線 = online ; 离线,脱机,離線,脫機 = offline ; 光线追踪,光線追蹤 = ray_tracing raytrace
像素,畫素 = pixel ; 分辨率,解析度 = resolution ; 纹理,材質貼圖,紋理 = texture ; 贴图,貼圖 = texture sprite ; 包围盒,包圍盒 = bounding_box aabb bbox
材质,材質 = material ; 着色器,著色器 = shader ; 多边形,多邊形 = polygon ; 矩形 = rect rectangle ; 骨骼动画,骨骼動畫 = skeletal skeleton animation
贝塞尔曲线,貝茲曲線,貝塞爾曲線 = bezier curve ; 曲线,曲線 = curve ; 光照 = light lighting ; 射线,射線 = ray raycast ; 相机,摄像机,攝影機,相機,攝像機 = camera
投影 = projection project ; 透视,透視 = perspective ; 坐标,座標,坐標 = coordinate coord position ; 帧率,幀率 = fps frame_rate framerate
坐标系,座標系,坐標系 = coordinate_system ; 经度,經度 = longitude lng ; 纬度,緯度 = latitude lat ; 游戏循环,遊戲迴圈,遊戲循環 = game_loop tick update
地理位置,定位 = location geolocation locate gps ; 角度 = angle degree ; 弧度 = radian ; 碰撞检测,碰撞,碰撞檢測 = collision collide collider
四元数,四元數 = quaternion ; 变换,變換 = transform ; 粒子 = particle ; 粒子系统,粒子系統 = particle_system emitter ; 摄像头,攝像頭 = camera webcam
物理引擎 = physics engine ; 重力 = gravity ; 速度 = speed velocity ; 帧,影格,幀 = frame ; 中断处理,中斷處理 = interrupt_handler isr irq
帧缓冲,幀緩衝 = framebuffer ; 图层,圖層 = layer ; 精灵,精靈圖,精靈 = sprite ; 瓦片,瓦片地图,瓦片地圖 = tile tilemap ; 驱动程序,驱动,驅動程式,驅動程序,驅動 = driver
场景,場景 = scene ; 游戏,遊戲 = game ; 玩家 = player ; 道具 = item ; 背包 = inventory backpack knapsack ; 机器学习,機器學習 = machine_learning
血量,生命值 = health hit_points ; 寻路,尋路 = pathfinding astar path ; 音频,音訊,音頻 = audio sound ; 强化学习,強化學習 = reinforcement reward
视频,影片,視訊,視頻 = video ; 播放 = play playback ; 播放器 = player ; 播放列表 = playlist ; 梯度累积,梯度累積 = gradient_accumulation accumulate
转码,轉碼 = transcode transcoding ffmpeg ; 采样率,採樣率 = sample_rate ; 码率,比特率,碼率 = bitrate ; 梯度裁剪 = clip_grad gradient_clipping
蓝牙,藍牙 = bluetooth ble ; 传感器,感測器,傳感器 = sensor ; 设备,裝置,設備 = device ; 固件,韌體 = firmware ; 推理,推論 = inference infer reasoning
嵌入式 = embedded ; 内核,核心模組,內核 = kernel ; 系统调用,系統調用 = syscall system_call ; 串口,序列埠 = serial uart ; 卷积,卷積 = convolution conv
深度学习,深度學習 = deep_learning ; 神经网络,類神經網路,神經網絡 = neural_network ; 池化 = pooling pool ; 嵌入向量,向量化 = embedding vectorize vector
全连接层,全连接,全連接層,全連接 = linear dense fully_connected ; 注意力,注意力机制,注意力機制 = attention ; 丢弃,随机失活,丟棄,隨機失活 = drop discard dropout
自注意力 = self_attention attention ; 位置编码,位置編碼 = positional_encoding position_embedding rope ; 嵌入,词嵌入,詞嵌入 = embedding embed
词表,词汇表,詞表,詞彙表 = vocab vocabulary ; 张量,張量 = tensor ; 梯度 = gradient grad ; 大模型,大语言模型,语言模型,大語言模型,語言模型 = llm language_model
梯度下降 = gradient_descent sgd ; 反向传播,反向傳播 = backward backprop backpropagation ; 模型权重,模型權重 = weights checkpoint state_dict
前向传播,前向计算,前向傳播,前向計算 = forward ; 学习率,學習率 = learning_rate lr ; 批大小,批量大小 = batch_size ; 预测,預測 = predict prediction forecast
批归一化,批歸一化 = batch_norm batchnorm ; 层归一化,層歸一化 = layer_norm layernorm ; 向量数据库,向量库,向量數據庫,向量庫 = vector_store vector_database
训练,訓練 = train training trainer ; 预训练,預訓練 = pretrain pretrained ; 微调,微調 = finetune fine_tune ; 量化 = quantize quantization
模型 = model ; 检查点,檢查點 = checkpoint ckpt ; 过拟合,過擬合 = overfit overfitting regularization ; 超参数,超參數 = hyperparameter hparams
拟合,擬合 = fit ; 正则化,正則化 = regularization regularize weight_decay ; 早停 = early_stopping ; 标注,標註 = annotate annotation label
混合精度 = mixed_precision amp fp16 ; 剪枝 = prune pruning ; 蒸馏,蒸餾 = distill distillation ; 知识库,知識庫 = knowledge_base knowledge
损失,損失 = loss ; 交叉熵 = cross_entropy entropy ; 准确率,準確率 = accuracy precision ; 下单,下單 = place_order create_order checkout
召回率,召回 = recall retrieve ; 分类,归类,分類,歸類 = classify classification category ; 聊天机器人,机器人,聊天機器人,機器人 = bot chatbot robot
分类器,分類器 = classifier ; 聚类,分群,聚類 = cluster clustering kmeans ; 决策树,決策樹 = decision_tree ; 优惠券,優惠券,折价券,折價券 = coupon voucher
降维,降維 = pca dimensionality reduction ; 特征工程,特征提取,特徵工程,特徵提取 = feature_extraction feature ; 抽奖,抽獎 = lottery draw raffle
缺失值 = missing nan fillna ; 异常值,离群点,異常值,離群點 = outlier anomaly ; 温度,溫度 = temperature ; 对话,對話 = chat conversation dialogue
检索增强,檢索增強 = rag retrieval ; 智能体,智能體 = agent ; 聊天 = chat ; 聊天室 = chatroom room ; 子订单,订单项,子訂單,訂單項 = order_item line_item
语音识别,語音識別 = speech_recognition asr ; 语音,語音 = voice speech audio ; 目标检测,物体检测,目標檢測,物體檢測 = object_detection detect detector
订单,訂單 = order ; 订单号,订单编号,訂單號,訂單編號 = order_no order_id order_number ; 订单详情,訂單詳情 = order_detail ; 银行卡,銀行卡 = bank_card card
库存,庫存 = inventory stock ; 扣库存,扣减库存,库存扣减,扣庫存,扣減庫存,庫存扣減 = deduct_stock decrease_stock inventory ; 手续费,手續費 = fee commission
缺货,缺貨 = out_of_stock stock ; 超卖,超賣 = oversell stock ; 流水号,序列号,序號,流水號,序列號 = serial_number sequence serial ; 折扣 = discount
优惠码,折扣码,優惠碼,折扣碼 = promo_code coupon discount_code ; 优惠,促销,優惠,促銷 = promotion discount promo ; 秒杀,秒殺 = seckill flash_sale
退款 = refund ; 退货,退貨 = return_order refund rma ; 售后,售後 = after_sale refund ; 发票,發票 = invoice ; 支付方式,付款方式 = payment_method
收据,收據 = receipt ; 税率,稅率 = tax_rate tax ; 税费,税额,稅費,稅額 = tax ; 支付,付款 = pay payment ; 购物车,購物車 = cart shopping_cart basket
支付回调,支付回調 = payment_callback notify webhook ; 支付宝,支付寶 = alipay ; 微信 = wechat weixin ; 对账,對賬 = reconcile reconciliation
微信支付 = wechat_pay wxpay ; 信用卡 = credit_card card ; 余额,餘額 = balance ; 钱包,錢包 = wallet ; 发货,出貨,發貨 = ship shipment deliver
充值,儲值 = recharge topup deposit ; 提现,提款,提現 = withdraw withdrawal ; 佣金 = commission ; 收货地址,收貨地址 = shipping_address address
结算,結帳,结账,結算,結賬 = settle settlement checkout ; 交易 = transaction trade ; 邀请码,邀請碼 = invite_code invitation referral
汇率,匯率 = exchange_rate rate ; 货币,币种,貨幣,幣種 = currency ; 价格,價格 = price ; 单价,單價 = unit_price price ; 物流 = logistics shipping
成本 = cost ; 加入购物车,加入購物車 = add_to_cart cart ; 商品,產品,产品 = product goods item ; 快递,宅配,快遞 = express courier delivery
商品详情,商品詳情 = product_detail ; 规格,規格 = spec sku specification ; 品牌 = brand ; 浏览量,阅读量,瀏覽量,閱讀量 = view_count views pageview
商家,商户,商戶 = merchant seller ; 卖家,賣家 = seller ; 买家,買家 = buyer ; 供应商,供應商 = supplier vendor ; 收藏 = favorite bookmark collect
客户,顧客,客戶 = customer client ; 客服 = customer_service support ; 销售,銷售 = sale sales ; 预订,訂位,預訂 = booking reservation reserve
运费,運費 = freight shipping_fee ; 配送 = delivery deliver ; 会员,會員 = member membership vip ; 浏览记录,历史记录,歷史記錄,瀏覽記錄 = history
积分,點數,積分 = points credit ; 兑换,兌換 = redeem exchange ; 等级,等級 = level grade ; 预约,預約 = appointment reservation booking
奖励,獎勵 = reward bonus ; 书签,書籤 = bookmark ; 点赞,按讚,點讚 = like upvote ; 关注,關注 = follow ; 区块链,區塊鏈 = blockchain block
评论,留言,評論 = comment review ; 回复,回覆 = reply ; 投票 = vote poll ; 反馈,意見回饋,反饋 = feedback ; 置顶,置頂 = pin pinned sticky
文章 = article post ; 帖子,貼文 = post thread ; 博客,部落格 = blog ; 新闻,新聞 = news ; 历史,歷史 = history ; 组织,組織 = organization org
草稿 = draft ; 房间,房間 = room ; 座位 = seat ; 员工,員工 = employee staff ; 部门,部門 = department dept ; 相册,相簿,相冊 = album gallery
团队,團隊 = team ; 项目,專案 = project ; 里程碑 = milestone ; 看板 = kanban board ; 合同,合約 = contract ; 标记,標記 = mark flag marker
报表,报告,報表,報告 = report ; 学生,學生 = student ; 课程,課程 = course ; 考试,考試 = exam quiz ; 智能合约,智慧合約,智能合約 = smart_contract contract
成绩,成績 = grade score ; 区块,區塊 = block ; 天气,天氣 = weather ; 音乐,音樂 = music song ; 歌曲 = song track ; 电话,電話 = phone tel call
联系人,聯絡人,聯繫人 = contact ; 手机号,手机号码,手機號碼,手機號 = phone mobile phone_number ; 手机,手機 = phone mobile ; 亮度 = brightness luminance
性别,性別 = gender sex ; 年龄,年齡 = age ; 生日 = birthday birth ; 姓名 = name full_name ; 国家,國家 = country ; 重绘,重繪 = repaint redraw
省份 = province ; 城市 = city ; 地区,地區 = region area ; 邮编,郵遞區號,郵編 = zipcode postal_code zip ; 按需加载,按需加載 = lazy_load on_demand
附件 = attachment ; 收件人 = recipient ; 发件人,寄件者,發件人 = sender ; 收件箱,收件匣 = inbox ; 未读,未讀 = unread ; 错误边界,錯誤邊界 = error_boundary
回收站,資源回收筒,垃圾桶 = trash recycle_bin ; 垃圾邮件,垃圾郵件 = spam ; 后台管理,管理后台,後台管理,管理後台 = admin dashboard ; 高斯模糊 = gaussian_blur blur
后台,後臺,後台 = backend background admin ; 空状态,空狀態 = empty_state empty ; 重复提交,防重复提交,重複提交,防重複提交 = duplicate_submit idempotent
白屏 = blank_screen white_screen ; 闪烁,閃爍 = flicker blink ; 噪声,雜訊,噪聲 = noise ; 调色板,調色板 = palette ; 下标,下標 = index subscript
色相 = hue ; 饱和度,飽和度 = saturation ; 对比度,對比度 = contrast ; 矢量图,矢量圖 = svg vector ; 第三方库,第三方庫 = third_party vendor library
绘制,繪製 = draw paint render ; 回流,重排 = reflow ; 吊销,吊銷 = revoke ; 续期,续约,續期,續約 = renew renewal ; 结构化日志,結構化日誌 = structured_log
频率,頻率 = frequency rate ; 周期,週期 = period cycle ; 轮次,輪次 = epoch round ; 步长,步幅,步長 = step stride ; 公共 = common public shared
维度,維度 = dimension dim axis ; 形状,形狀 = shape ; 确认,確認 = confirm ack acknowledge ; 操作系统,作業系統,操作系統 = os operating_system
消息堆积,积压,消息堆積,積壓 = backlog lag ; 路由表 = routing_table routes ; 规则,規則 = rule ; 入口,进入点,進入點 = entry entrypoint main
规则引擎,規則引擎 = rule_engine rules ; 计费,計費 = billing charge ; 收费,收費 = charge fee ; 文件权限,文件權限 = chmod permission mode
套餐 = plan package ; 订阅计划,訂閱計劃 = subscription plan ; 额度,額度 = quota limit credit ; 文件不存在 = enoent not_found file_not_found
副本数,副本數 = replicas ; 滚动日志,日志轮转,日志切割,滾動日誌,日誌輪轉,日誌切割 = log_rotate rotation rotate ; 不存在 = not_found missing nonexistent
函式库,函数库,函式庫,函數庫 = library lib ; 应用程序,應用程式,應用程序 = application app ; 依赖图,依赖关系,依賴圖,依賴關係 = dependency_graph dependency
跨平台 = cross_platform platform ; 注册表,登錄檔,註冊表 = registry ; 全局异常,全局异常处理,全局異常,全局異常處理 = exception_handler global_exception
自动保存,自動保存 = autosave auto_save ; 自动,自動 = auto automatic ; 手动,手動 = manual ; 连接被拒绝,連接被拒絕 = econnrefused connection_refused
自定义,自訂,客製化,自定義 = custom customize ; 内置,內建,內置 = builtin built_in ; 原生 = native ; 界面,用户界面,使用者介面,用戶界面 = ui screen interface
通用 = common generic general ; 核心 = core ; 示例,範例 = example sample demo ; 调用图,調用圖 = call_graph ; 丢失,丟失 = lost loss missing
调用关系,調用關係 = call_graph caller ; 影响范围,影響範圍 = impact ; 引用关系,引用關係 = reference references ; 损坏,損壞 = corrupt corrupted broken
状态转换,状态流转,狀態轉換,狀態流轉 = transition state_machine ; 先序遍历,前序遍历,先序遍歷,前序遍歷 = preorder ; 权限被拒绝,權限被拒絕 = permission_denied eacces
中序遍历,中序遍歷 = inorder ; 后序遍历,後序遍歷 = postorder ; 层序遍历,層序遍歷 = level_order bfs ; 环检测,環檢測 = cycle_detection cycle has_cycle
已存在 = already_exists exist exists ; 缺失,缺少 = missing lack ; 不一致 = inconsistent mismatch ; 上报,上報 = report telemetry upload
不匹配 = mismatch ; 未找到 = not_found 404 ; 服务不可用,服務不可用 = unavailable 503 ; 最长公共子序列,最長公共子序列 = lcs subsequence ; 哨兵 = sentinel
内部错误,內部錯誤 = internal_error 500 ; 连接重置,連接重置 = econnreset reset ; 超过,超過 = exceed exceeded ; 子串,子字符串,子字串 = substring substr
用户代理,用戶代理 = user_agent ; 网址,網址 = url ; 子数组,子數組 = subarray ; 子序列 = subsequence ; 词频,詞頻 = word_count term_frequency tfidf
背包问题,背包問題 = knapsack ; 最小生成树,最小生成樹 = mst kruskal prim ; 连通,連通 = connected component ; 入库,落库,入庫,落庫 = persist save insert
回文,迴文 = palindrome ; 入队,入隊 = enqueue push ; 出队,出隊 = dequeue pop ; 入栈,压栈,入棧,壓棧 = push ; 水位线,水位,水位線 = watermark water_mark
出栈,出棧 = pop ; 弹出,彈出 = pop popup ; 拉取 = pull fetch ; 兜底 = fallback default ; 类加载器,类加载,類加載器,類加載 = classloader class_loader
冻结,凍結 = freeze frozen ; 上架 = publish on_sale listing ; 下架 = unpublish off_shelf delist ; 目录树,目錄樹 = directory_tree tree
偏好设置,首选项,喜好設定,偏好設置,首選項 = preference preferences settings ; 变体,變體 = variant ; 乐观更新,樂觀更新 = optimistic_update optimistic
连字符,連字符 = hyphen dash ; 单词,單字,單詞 = word ; 句子 = sentence ; 停用词,停用詞 = stop_word stopwords ; 字数,字數 = word_count char_count
词干,詞幹 = stem stemmer ; 缩写,縮寫 = abbreviation abbr ; 命名 = naming name ; 依赖冲突,依賴衝突 = dependency_conflict version_conflict
字节数组,字節數組 = byte_array bytes buffer ; 装箱,裝箱 = boxing box ; 拆箱 = unboxing unbox ; 缓冲区溢出,緩衝區溢出 = buffer_overflow overflow
线程局部,线程本地,線程局部,線程本地 = thread_local threadlocal ; 数据竞争,數據競爭 = data_race race ; 段错误,段錯誤 = segfault segmentation_fault
核心转储,核心轉儲 = core_dump ; 未处理,未處理 = unhandled ; 未捕获,未捕獲 = uncaught ; 未初始化 = uninitialized ; 自动化,自動化 = automation automate
编译错误,編譯錯誤 = compile_error ; 冷启动,冷啟動 = cold_start ; 首屏 = first_paint fcp ; 超链接,超連結,超鏈接 = hyperlink anchor href
快速失败,快速失敗 = fail_fast ; 过载,過載 = overload ; 无状态,無狀態 = stateless ; 有状态,有狀態 = stateful ; 插桩,插樁 = instrument instrumentation
参数解析,參數解析 = argparse parse_args ; 拷贝构造,拷貝構造 = copy_constructor ; 自动求导,自动微分,自動求導,自動微分 = autograd autodiff ; 预设 = preset
移动语义,移動語義 = move_semantics move ; 跳出循环,跳出循環 = break ; 计算器,計算器 = calculator ; 上下文长度,上下文長度 = context_length max_tokens
待办,待办事项,待辦,待辦事項 = todo ; 上一页,上一步,上一頁 = prev previous ; 下一页,下一步,下一頁 = next ; 上下文窗口 = context_window context_length
大纲,大綱 = outline toc ; 脚注,腳註 = footnote ; 锚点,錨點 = anchor ; 代码块,代碼塊 = code_block fence ; 链式调用,鏈式調用 = chain fluent chaining
调优,調優 = tune tuning ; 轮换,輪換 = rotate rotation ; 默认配置,默認配置 = default_config defaults ; 时间序列,時間序列 = time_series timeseries
返回类型,返回類型 = return_type ; 方法链,方法鏈 = method_chain chaining ; 对象池,對象池 = object_pool pool ; 静态资源,靜態資源 = static assets asset
资源,資源 = resource asset ; 资源释放,資源釋放 = dispose release close ; 占用率,佔用率 = usage utilization ; 指标 = metric metrics indicator
命令行工具 = cli ; 时序,時序 = time_series timing ; 数据管道,數據管道 = pipeline etl ; 流处理,流處理 = stream_processing stream ; 类别 = category
自然语言,自然語言 = nlp natural_language ; 随机梯度下降,隨機梯度下降 = sgd ; 显存,顯存 = gpu_memory vram cuda ; 余弦相似度 = cosine_similarity cosine
分布式训练,分布式訓練 = distributed ddp distributed_data_parallel ; 独热编码,獨熱編碼 = one_hot onehot ; 欧氏距离,歐氏距離 = euclidean distance
距离,距離 = distance ; 最近邻,最近鄰 = nearest_neighbor knn ; 類別 = class category ; 声明,宣告,聲明 = declare declaration
信息,資訊 = info information
`;
